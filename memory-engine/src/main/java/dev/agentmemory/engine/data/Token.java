package dev.agentmemory.engine.data;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// The secret that callers send, in the file `token` of the data directory.
///
/// `am1-`, 64 hexadecimal digits, `-`, and the CRC-32C of what stands before as 8 digits more, so
/// that damage to the file is noticed. Former versions drew 64 digits without a checksum; those are
/// taken as they are.
///
/// @param text what callers send
public record Token(String text) {

  /// Its name in the data directory.
  public static final String FILE = "token";

  private static final int SECRET_BYTES = 32;
  private static final int MOST_BYTES = 4096;
  private static final Pattern CHECKED = Pattern.compile("(am1-[0-9a-f]{64})-([0-9a-f]{8})");
  private static final int FORMER_CHARS = 64;
  private static final Pattern FORMER = Pattern.compile("[0-9a-f]{" + FORMER_CHARS + "}");
  private static final Pattern AT_THE_END = Pattern.compile("[ \\t\\r\\n]+\\z");

  /// The token of a directory; empty when none was drawn yet.
  ///
  /// @throws MemoryException `CONFLICT` when the file is damaged, or none that a daemon has written
  public static Optional<Token> read(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      String text = content(DurableFile.read(file, MOST_BYTES));
      if (!isWhole(text)) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            ("the token file %s is %s; restore it from a backup, or delete it and start the daemon"
                    + " again, which creates a new token that every client needs")
                .formatted(file, problem(text)));
      }
      return Optional.of(new Token(text));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot read the token file " + file + " (" + e.getMessage() + "); check its permissions",
          e);
    }
  }

  /// The text without what editors add at its end. Every client reads the file by itself, so what
  /// one of them may read in another way is no token: other spaces, or bytes that are not ASCII,
  /// which become characters here that none has.
  private static String content(byte[] bytes) {
    return AT_THE_END.matcher(new String(bytes, StandardCharsets.ISO_8859_1)).replaceFirst("");
  }

  private static String problem(String text) {
    if (text.isEmpty()) {
      return "empty";
    }
    if (text.chars().anyMatch(character -> character > '~')) {
      return "damaged: it contains characters that are not ASCII";
    }
    if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
      return "damaged: it has several lines";
    }
    return text.length() < FORMER_CHARS
        ? "damaged: it has %d characters, fewer than a token".formatted(text.length())
        : "damaged: its checksum does not match";
  }

  /// A generator that is fit for secrets.
  public static RandomGenerator random() {
    return new SecureRandom();
  }

  /// Draws a token.
  public static Token draw() {
    byte[] secret = new byte[SECRET_BYTES];
    random().nextBytes(secret);
    String body = "am1-" + HexFormat.of().formatHex(secret);
    return new Token(body + "-" + DurableFile.checksum(body));
  }

  /// Makes it the one of a directory. One that was there before is not valid any more.
  public void write(Path directory) {
    try {
      DurableFile.write(directory.resolve(FILE), text + "\n");
    } catch (IOException e) {
      throw OwnDirectory.unusable(directory, e);
    }
  }

  /// What is stored of a token that only programs keep.
  public TokenHash hash() {
    return TokenHash.of(text);
  }

  static boolean isWhole(String text) {
    var checked = CHECKED.matcher(text);
    return checked.matches()
        ? checked.group(2).equals(DurableFile.checksum(checked.group(1)))
        : FORMER.matcher(text).matches();
  }

  /// Without the secret, which must not end up in logs.
  @Override
  public String toString() {
    return "Token";
  }
}
