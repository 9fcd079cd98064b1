package dev.agentmemory.rocksdb.backup;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.LongConsumer;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// Contents encrypted with AES-256-GCM, in chunks of 1 MiB, each with a tag of its own: no byte is
/// passed on before its chunk was found to be genuine.
///
/// ```
/// "AMENC1\r\n"   8 bytes
/// salt          32 random bytes; HKDF makes the file's own key of it and the backup key
/// chunks        up to 1 MiB of ciphertext and 16 bytes of tag; the last one may be empty
/// ```
///
/// The nonce of a chunk is its number (8 bytes), three zeros, and 1 for the last chunk or 0. So
/// chunks cannot be left out, repeated, reordered or cut off. The header and the place of the file
/// are authenticated with each chunk, so that no file can take the place of another one.
final class EncryptedContent {

  static final int CHUNK = Hashing.CHUNK;
  static final int SALT = 32;
  static final int TAG = 16;

  private static final byte[] MAGIC = "AMENC1\r\n".getBytes(StandardCharsets.US_ASCII);
  static final int HEADER = MAGIC.length + SALT;
  private static final int NONCE = 12;

  private final Cipher cipher;
  private final SecretKey key;
  private final byte[] header;
  private final byte[] place;

  /// Takes or gives the bytes of a chunk.
  private interface Transfer {

    /// @param chunk to be filled, or to be emptied
    void of(ByteBuffer chunk) throws IOException;
  }

  private EncryptedContent(BackupKey key, byte[] header, String place) {
    this.header = header;
    this.place = place.getBytes(StandardCharsets.UTF_8);
    this.key = key.fileKey(Arrays.copyOfRange(header, MAGIC.length, HEADER));
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has AES in GCM", e);
    }
  }

  /// The size of the file for that many bytes of content.
  static long size(long bytes) {
    return HEADER + bytes + TAG * chunks(bytes);
  }

  private static long chunks(long bytes) {
    return Math.max(1, Math.ceilDiv(bytes, CHUNK));
  }

  /// Encrypts a file into another one, which must not exist, and syncs it.
  ///
  /// @param place where the file will be, as [#decrypt] is told it
  /// @param done is called with the number of bytes of each chunk
  /// @return SHA-256 of the bytes that were read
  static String encrypt(Path source, Path target, BackupKey key, String place, LongConsumer done)
      throws IOException {
    MessageDigest digest = Hashing.digest();
    try (FileChannel from =
            FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        var to = new Durable.Output(target)) {
      seal(
          key,
          place,
          from.size(),
          chunk -> {
            fill(from, chunk);
            digest.update(chunk.duplicate().flip());
            done.accept(chunk.position());
          },
          to::write);
      to.finish();
    }
    return Hashing.hex(digest);
  }

  /// Decrypts a file into another one, which must not exist, and syncs it.
  ///
  /// @return SHA-256 of the content
  /// @throws AEADBadTagException when the file is not what was written there with this key
  static String decrypt(Path source, Path target, BackupKey key, String place, LongConsumer done)
      throws IOException, AEADBadTagException {
    MessageDigest digest = Hashing.digest();
    try (var to = new Durable.Output(target)) {
      open(
          source,
          key,
          place,
          chunk -> {
            digest.update(chunk.duplicate());
            int bytes = chunk.remaining();
            to.write(chunk);
            done.accept(bytes);
          });
      to.finish();
    }
    return Hashing.hex(digest);
  }

  /// SHA-256 of the content of a file.
  ///
  /// @throws AEADBadTagException when the file is not what was written there with this key
  static String hash(Path source, BackupKey key, String place, LongConsumer done)
      throws IOException, AEADBadTagException {
    MessageDigest digest = Hashing.digest();
    open(
        source,
        key,
        place,
        chunk -> {
          int bytes = chunk.remaining();
          digest.update(chunk);
          done.accept(bytes);
        });
    return Hashing.hex(digest);
  }

  static byte[] encrypt(byte[] content, BackupKey key, String place) {
    ByteBuffer from = ByteBuffer.wrap(content);
    ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(size(content.length)));
    try {
      seal(key, place, content.length, chunk -> take(from, chunk), to::put);
    } catch (IOException e) {
      throw new AssertionError("arrays do not fail", e);
    }
    return to.array();
  }

  static byte[] decrypt(byte[] encrypted, BackupKey key, String place) throws AEADBadTagException {
    ByteBuffer from = ByteBuffer.wrap(encrypted);
    ByteBuffer to = ByteBuffer.allocate(encrypted.length);
    try {
      open(key, place, encrypted.length, chunk -> take(from, chunk), to::put);
    } catch (IOException e) {
      throw new AssertionError("arrays do not fail", e);
    }
    to.flip();
    byte[] content = new byte[to.remaining()];
    to.get(content);
    return content;
  }

  private static void take(ByteBuffer from, ByteBuffer chunk) {
    int bytes = chunk.remaining();
    chunk.put(from.slice(from.position(), bytes));
    from.position(from.position() + bytes);
  }

  private static void open(Path source, BackupKey key, String place, Transfer to)
      throws IOException, AEADBadTagException {
    try (FileChannel from =
        FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      open(key, place, from.size(), chunk -> fill(from, chunk), to);
    }
  }

  private static void fill(FileChannel from, ByteBuffer chunk) throws IOException {
    while (chunk.hasRemaining()) {
      if (from.read(chunk) < 0) {
        throw new EOFException("it was shortened while it was read");
      }
    }
  }

  private static void seal(BackupKey key, String place, long bytes, Transfer from, Transfer to)
      throws IOException {
    byte[] header = ByteBuffer.allocate(HEADER).put(MAGIC).put(BackupKey.random(SALT)).array();
    var content = new EncryptedContent(key, header, place);
    to.of(ByteBuffer.wrap(header));
    ByteBuffer plain = ByteBuffer.allocate((int) Math.min(CHUNK, bytes));
    ByteBuffer encrypted = ByteBuffer.allocate(plain.capacity() + TAG);
    long chunks = chunks(bytes);
    for (long number = 0; number < chunks; number++) {
      boolean last = number == chunks - 1;
      plain.clear().limit((int) Math.min(CHUNK, bytes - number * CHUNK));
      from.of(plain);
      plain.flip();
      encrypted.clear();
      try {
        content.transform(Cipher.ENCRYPT_MODE, number, last, plain, encrypted);
      } catch (GeneralSecurityException e) {
        throw new AssertionError("encryption does not depend on the content", e);
      }
      to.of(encrypted.flip());
    }
  }

  private static void open(BackupKey key, String place, long size, Transfer from, Transfer to)
      throws IOException, AEADBadTagException {
    if (size < HEADER + TAG) {
      throw new AEADBadTagException("it is cut off: it has %,d bytes".formatted(size));
    }
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    from.of(header);
    if (!header.flip().slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
      throw new AEADBadTagException("it does not begin as an encrypted file does");
    }
    var content = new EncryptedContent(key, header.array(), place);
    ByteBuffer encrypted = ByteBuffer.allocate((int) Math.min(CHUNK + TAG, size - HEADER));
    ByteBuffer plain = ByteBuffer.allocate(encrypted.capacity());
    long left = size - HEADER;
    for (long number = 0; left > 0; number++) {
      encrypted.clear().limit((int) Math.min(encrypted.capacity(), left));
      left -= encrypted.limit();
      from.of(encrypted);
      encrypted.flip();
      plain.clear();
      try {
        content.transform(Cipher.DECRYPT_MODE, number, left == 0, encrypted, plain);
      } catch (AEADBadTagException e) {
        throw new AEADBadTagException(
            "it was changed, cut off or exchanged at or after byte %,d"
                .formatted(HEADER + number * (CHUNK + TAG)));
      } catch (GeneralSecurityException e) {
        throw new AssertionError("decryption only fails by its tag", e);
      }
      to.of(plain.flip());
    }
  }

  private void transform(int mode, long number, boolean last, ByteBuffer from, ByteBuffer to)
      throws GeneralSecurityException {
    byte[] nonce =
        ByteBuffer.allocate(NONCE).putLong(number).put(NONCE - 1, (byte) (last ? 1 : 0)).array();
    cipher.init(mode, key, new GCMParameterSpec(TAG * Byte.SIZE, nonce));
    cipher.updateAAD(header);
    cipher.updateAAD(place);
    cipher.doFinal(from, to);
  }
}
