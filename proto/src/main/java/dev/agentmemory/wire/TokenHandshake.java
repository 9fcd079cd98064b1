package dev.agentmemory.wire;

import dev.agentmemory.api.access.TokenHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What the ends of a TCP connection send before HTTP/2 to prove that both have the same token.
/// Neither sends the token. Lines are ASCII and end with `\n`; numbers of bytes are in hexadecimal:
///
/// ```
/// client: agent-memory-handshake 1 ID CLIENT_NONCE
/// daemon: PROOF_OF_DAEMON DAEMON_NONCE
/// client: PROOF_OF_CLIENT
/// ```
///
/// The key of HMAC-SHA256 (RFC 2104) is the SHA-256 of the token. A proof is the HMAC of `daemon
/// PORT CLIENT_NONCE DAEMON_NONCE`, or of the same with `client`. ID is the first 8 bytes of the
/// HMAC of `id` and tells the daemon which token is meant. PORT is that which the client has
/// connected to, in decimal: a program on another port that passes everything on to the daemon
/// proves nothing. Nonces are 16 random bytes.
///
/// @param port of the daemon
public record TokenHandshake(TokenHash key, int port, String clientNonce, String daemonNonce) {

  /// How the first line begins. No frame of HTTP/2 or TLS begins with that letter.
  public static final String NAME = "agent-memory-handshake";

  /// Sent by a daemon instead of its line if it has no such token.
  public static final String UNKNOWN_TOKEN = "unknown-token";

  /// Sent by a daemon instead of its line if it needs no token, and so has none to prove.
  public static final String NO_TOKEN = "no-token";

  /// Longest line, with its end.
  public static final int MOST_LINE = 256;

  private static final int NONCE_BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int VERSION = 1;
  private static final int ID_BYTES = 8;
  private static final Pattern NONCE = Pattern.compile("[0-9a-f]{" + 2 * NONCE_BYTES + "}");
  private static final Pattern HELLO =
      Pattern.compile(
          NAME + " " + VERSION + " ([0-9a-f]{" + 2 * ID_BYTES + "}) (" + NONCE.pattern() + ")");
  private static final Pattern ANSWER =
      Pattern.compile("([0-9a-f]{" + 2 * TokenHash.BYTES + "}) (" + NONCE.pattern() + ")");

  /// Who proves something.
  public enum Side {
    CLIENT("client"),
    DAEMON("daemon");

    private final String text;

    Side(String text) {
      this.text = text;
    }
  }

  /// The first line.
  ///
  /// @param id of the token
  public record Hello(String id, String nonce) {

    /// Reads a line without its end; empty when it is none of this version.
    public static Optional<Hello> parse(String line) {
      Matcher parts = HELLO.matcher(line);
      return parts.matches()
          ? Optional.of(new Hello(parts.group(1), parts.group(2)))
          : Optional.empty();
    }

    /// The line without its end.
    public String line() {
      return NAME + " " + VERSION + " " + id + " " + nonce;
    }
  }

  /// The daemon's line.
  public record Answer(String proof, String nonce) {

    /// Reads a line without its end; empty when it is none.
    public static Optional<Answer> parse(String line) {
      Matcher parts = ANSWER.matcher(line);
      return parts.matches()
          ? Optional.of(new Answer(parts.group(1), parts.group(2)))
          : Optional.empty();
    }

    /// The line without its end.
    public String line() {
      return proof + " " + nonce;
    }
  }

  /// Draws a nonce.
  public static String nonce() {
    byte[] drawn = new byte[NONCE_BYTES];
    RANDOM.nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }

  /// What a client names a token by.
  public static String id(TokenHash key) {
    return HexFormat.of().formatHex(hmac(key, "id"), 0, ID_BYTES);
  }

  /// What a side sends, in hexadecimal.
  public String proof(Side side) {
    return HexFormat.of()
        .formatHex(hmac(key, side.text + " " + port + " " + clientNonce + " " + daemonNonce));
  }

  /// Whether a text is what a side sends. Takes as long for any text of that length.
  public boolean isProof(Side side, String sent) {
    return MessageDigest.isEqual(ascii(proof(side)), ascii(sent));
  }

  private static byte[] hmac(TokenHash key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
      return mac.doFinal(ascii(text));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java runtime has HMAC-SHA256", e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
