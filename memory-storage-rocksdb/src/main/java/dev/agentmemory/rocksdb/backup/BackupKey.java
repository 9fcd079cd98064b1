package dev.agentmemory.rocksdb.backup;

import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The key of encrypted backups. All keys that are used are derived from its 256 random bits by
/// HKDF with SHA-256, each for one purpose.
///
/// Its file is one line: `ambk1-`, 64 hexadecimal digits, `-`, and the CRC-32C of what stands
/// before as 8 digits more, so that damage to the file is noticed.
public final class BackupKey {

  private static final int SECRET_BYTES = 32;
  private static final int ID_BYTES = 8;
  private static final int MOST_BYTES = 4096;
  private static final Pattern FORM = Pattern.compile("(ambk1-([0-9a-f]{64}))-([0-9a-f]{8})\\s*");
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;
  private final String id;
  private final SecretKeySpec nameKey;

  private BackupKey(byte[] secret) {
    this.secret = secret;
    this.id = HexFormat.of().formatHex(derived("key id", new byte[0], ID_BYTES));
    this.nameKey =
        new SecretKeySpec(derived("content names", new byte[0], SECRET_BYTES), "HmacSHA256");
  }

  /// A new key.
  public static BackupKey draw() {
    return new BackupKey(random(SECRET_BYTES));
  }

  /// Random bytes, for a key or a salt.
  static byte[] random(int bytes) {
    byte[] drawn = new byte[bytes];
    RANDOM.nextBytes(drawn);
    return drawn;
  }

  /// Reads a key file. Symbolic links are not followed.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such file, `CONFLICT` when it is no key
  ///   file, is damaged, or others can read it; no message shows its content
  public static BackupKey read(Path file) {
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(file.toString());
      }
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw unusable(file, "is not a regular file; give the path of the key file itself");
      }
      refuseSharedFile(file);
      String text = new String(DurableFile.read(file, MOST_BYTES), StandardCharsets.ISO_8859_1);
      var form = FORM.matcher(text);
      if (!form.matches()) {
        throw unusable(
            file, "is not a key file for backups; `memory backup key --output FILE` creates one");
      }
      if (!DurableFile.checksum(form.group(1)).equals(form.group(3))) {
        throw unusable(file, "is damaged: its checksum does not match; use a copy of the key file");
      }
      return new BackupKey(HexFormat.of().parseHex(form.group(2)));
    } catch (NoSuchFileException e) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          ("the key file %s does not exist; give the path of the key file, or create one with"
                  + " `memory backup key --output FILE`")
              .formatted(file),
          e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the key file %s cannot be read (%s); check its permissions"
              .formatted(file, BackupFailures.what(e)),
          e);
    }
  }

  private static void refuseSharedFile(Path file) throws IOException {
    var posix =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (posix != null
        && posix.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains)) {
      throw unusable(
          file, "can be read or written by other users; run `chmod 600 %s`".formatted(file));
    }
  }

  private static MemoryException unusable(Path file, String why) {
    return new MemoryException(ErrorCode.CONFLICT, "the key file %s %s".formatted(file, why));
  }

  /// Writes the key to a file that must not exist, readable by its owner only.
  ///
  /// @throws MemoryException `CONFLICT` when there is such a file, or it cannot be written
  public void write(Path file) {
    String body = "ambk1-" + HexFormat.of().formatHex(secret);
    String line = body + "-" + DurableFile.checksum(body) + "\n";
    Set<OpenOption> asNew =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    Path whole = file.toAbsolutePath();
    try (FileChannel channel = FileChannel.open(whole, asNew, DurableFile.ownerOnly(whole))) {
      ByteBuffer left = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
      Path folder = whole.getParent();
      if (folder != null) {
        DurableFile.syncDirectory(folder);
      }
    } catch (FileAlreadyExistsException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("%s exists and was not changed, because backups may be encrypted with it; choose another"
                  + " file")
              .formatted(file),
          e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot write the key file %s (%s); choose a file in a folder that you can write to"
              .formatted(file, BackupFailures.what(e)),
          e);
    }
  }

  /// Names the key without revealing it: 16 hexadecimal digits, which backups show.
  public String id() {
    return id;
  }

  /// The name under which a content is stored: equal for equal contents of a workspace, so that
  /// backups share them, and without the key as good as random.
  ///
  /// @param sha256 of the content, in hexadecimal
  String contentName(String workspace, String sha256) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(nameKey);
      byte[] input = (workspace + '\0' + sha256).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(mac.doFinal(input));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has HMAC-SHA256", e);
    }
  }

  /// The AES key of one file.
  ///
  /// @param salt random, stored in the file
  SecretKey fileKey(byte[] salt) {
    return new SecretKeySpec(derived("content", salt, SECRET_BYTES), "AES");
  }

  private byte[] derived(String purpose, byte[] salt, int bytes) {
    byte[] info = ("agent-memory backup 1: " + purpose).getBytes(StandardCharsets.US_ASCII);
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract().addIKM(secret).addSalt(salt).thenExpand(info, bytes));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("this Java has HKDF with SHA-256", e);
    }
  }

  /// Without the secret, which must not end up in logs.
  @Override
  public String toString() {
    return "BackupKey " + id;
  }
}
