package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;

/// The session with which a page ended, as opaque text that callers pass back.
///
/// ```
/// base64url( crc32 of the session id and of the scope : 4 | session id in UTF-8 )
/// ```
///
/// The scope is what the token belongs to, such as the filter of a list. It is in the checksum
/// only, so a token of another request is refused like a damaged one.
final class SessionPageToken {

  private SessionPageToken() {}

  /// @param scope differs for requests whose tokens must not be exchanged
  static String of(String scope, SessionId session) {
    byte[] content = session.value().getBytes(StandardCharsets.UTF_8);
    byte[] token =
        ByteBuffer.allocate(Integer.BYTES + content.length)
            .putInt(checksum(content, scope))
            .put(content)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /// @throws MemoryException `INVALID_TOKEN`
  static SessionId session(String scope, String token) {
    ByteBuffer bytes = ByteBuffer.wrap(decoded(token));
    if (bytes.remaining() <= Integer.BYTES) {
      throw refusal();
    }
    int checksum = bytes.getInt();
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    if (checksum != checksum(content, scope)) {
      throw refusal();
    }
    try {
      return new SessionId(new String(content, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw refusal();
    }
  }

  private static byte[] decoded(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw refusal();
    }
  }

  private static int checksum(byte[] content, String scope) {
    CRC32 crc = new CRC32();
    crc.update(content);
    crc.update(scope.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  private static MemoryException refusal() {
    return new MemoryException(
        ErrorCode.INVALID_TOKEN,
        PageRequest.TOKEN + ": was not issued for this request; start again without a token");
  }
}
