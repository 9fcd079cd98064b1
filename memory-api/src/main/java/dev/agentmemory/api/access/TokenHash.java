package dev.agentmemory.api.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// SHA-256 of a token. A token is 32 random bytes, so it cannot be guessed from that. Compared in
/// constant time.
///
/// @param hex 64 digits of `0-9 a-f`
public record TokenHash(String hex) {

  /// Length in bytes.
  public static final int BYTES = 32;

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

  /// @throws IllegalArgumentException when it has another form
  public TokenHash {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("a hash has " + 2 * BYTES + " digits of 0-9 and a-f");
    }
  }

  /// The hash of a token's text.
  public static TokenHash of(String token) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return new TokenHash(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenHash hash && MessageDigest.isEqual(bytes(), hash.bytes());
  }

  @Override
  public int hashCode() {
    return hex.hashCode();
  }
}
