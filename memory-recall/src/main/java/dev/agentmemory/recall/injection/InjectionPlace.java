package dev.agentmemory.recall.injection;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;

/// The row with which a page ended, as opaque text that callers pass back.
///
/// ```
/// base64url( crc32 of the rest and of the session : 4 | end of the row's key in UTF-8 )
/// ```
final class InjectionPlace {

  private InjectionPlace() {}

  /// @param prefix of the keys of the session
  static String token(String prefix, String key) {
    byte[] place = key.substring(prefix.length()).getBytes(StandardCharsets.UTF_8);
    byte[] token =
        ByteBuffer.allocate(Integer.BYTES + place.length)
            .putInt(checksum(place, prefix))
            .put(place)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /// The key of the row.
  ///
  /// @throws MemoryException `INVALID_TOKEN`
  static String key(String prefix, String token) {
    ByteBuffer bytes = ByteBuffer.wrap(decoded(token));
    if (bytes.remaining() <= Integer.BYTES) {
      throw refusal();
    }
    int checksum = bytes.getInt();
    byte[] place = new byte[bytes.remaining()];
    bytes.get(place);
    if (checksum != checksum(place, prefix)) {
      throw refusal();
    }
    return prefix + new String(place, StandardCharsets.UTF_8);
  }

  private static byte[] decoded(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw refusal();
    }
  }

  private static int checksum(byte[] place, String prefix) {
    CRC32 crc = new CRC32();
    crc.update(place);
    crc.update(prefix.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  private static MemoryException refusal() {
    return new MemoryException(
        ErrorCode.INVALID_TOKEN,
        PageRequest.TOKEN + ": was not issued for this request; start again without a token");
  }
}
