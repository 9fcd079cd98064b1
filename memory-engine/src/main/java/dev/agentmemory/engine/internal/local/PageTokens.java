package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.WorkspaceName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.zip.CRC32;

/// Where a page ended, as opaque text that callers pass back.
///
/// ```
/// base64url( crc32 of the rest and of the scope : 4 | kind : 1 | place in UTF-8 )
/// ```
///
/// The scope is what the token belongs to, such as the parent node. It is not in the token, only in
/// its checksum, so a token of another request is refused like a damaged one.
public final class PageTokens {

  private static final int CHECKSUM_BYTES = 4;

  private PageTokens() {}

  /// A place among the children of a node.
  ///
  /// @param start first millisecond of the child
  public record ChildToken(Instant start, NodeId id) {}

  /// A token that continues after an event.
  public static String afterEvent(EventKey key) {
    return encode('e', "", place(key));
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static EventKey event(String token) {
    return key(decode('e', "", token));
  }

  /// A token that continues after a child.
  ///
  /// @param parent the parent's id as it is written canonically; empty for the root
  public static String afterChild(String parent, Instant start, NodeId child) {
    return encode('c', parent, start.toEpochMilli() + " " + child.value());
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static ChildToken child(String parent, String token) {
    String[] parts = parts(decode('c', parent, token));
    return new ChildToken(
        Instant.ofEpochMilli(number(parts[0])),
        NodeId.parse(parts[1]).orElseThrow(PageTokens::bad));
  }

  /// A token that continues after a session.
  public static String afterSession(SessionId session) {
    return encode('s', "", session.value());
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static SessionId session(String token) {
    try {
      return new SessionId(decode('s', "", token));
    } catch (IllegalArgumentException e) {
      throw bad();
    }
  }

  /// A place among sessions by their latest event.
  ///
  /// @param last time of the session's latest event
  public record LatestToken(Instant last, SessionId id) {}

  /// A token that continues after a session of a list by latest events.
  public static String afterLatest(Instant last, SessionId session) {
    return encode('l', "", last.toEpochMilli() + " " + session.value());
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static LatestToken latest(String token) {
    String[] parts = parts(decode('l', "", token));
    try {
      return new LatestToken(Instant.ofEpochMilli(number(parts[0])), new SessionId(parts[1]));
    } catch (IllegalArgumentException e) {
      throw bad();
    }
  }

  /// A place in the transcript of a session.
  ///
  /// @param index of the event in the session
  /// @param backward whether what is before it is meant
  public record TranscriptToken(EventKey event, long index, boolean backward) {}

  /// A token that continues beside an event of a session.
  public static String besideEvent(SessionId session, TranscriptToken place) {
    return encode(
        place.backward() ? 'b' : 'f', session.value(), place.index() + " " + place(place.event()));
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static TranscriptToken transcript(SessionId session, String token) {
    boolean backward = kind(token) == 'b';
    String[] parts = parts(decode(backward ? 'b' : 'f', session.value(), token));
    return new TranscriptToken(key(parts[1]), number(parts[0]), backward);
  }

  /// A token that continues after a segment.
  ///
  /// @param first the segment's first event
  public static String afterSegment(SessionId session, EventKey first) {
    return encode('g', session.value(), place(first));
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static EventKey segment(SessionId session, String token) {
    return key(decode('g', session.value(), token));
  }

  /// A token that continues after a segment that was found by its time.
  ///
  /// @param node the segment's node
  public static String afterFoundSegment(NodeId node) {
    return encode('n', "", node.value());
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static NodeId foundSegment(String token) {
    return NodeId.parse(decode('n', "", token))
        .filter(node -> node.level() == TocLevel.SEGMENT)
        .orElseThrow(PageTokens::bad);
  }

  /// A token that continues after an event of a segment or of its overlap.
  public static String afterSegmentEvent(SegmentId segment, EventKey key) {
    return encode('v', segment.value(), place(key));
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static EventKey segmentEvent(SegmentId segment, String token) {
    return key(decode('v', segment.value(), token));
  }

  /// A token that continues after a workspace.
  public static String afterWorkspace(WorkspaceName workspace) {
    return encode('w', "", workspace.value());
  }

  /// @throws MemoryException `INVALID_TOKEN`
  public static WorkspaceName workspace(String token) {
    return WorkspaceName.of(decode('w', "", token)).orElseThrow(PageTokens::bad);
  }

  private static String place(EventKey key) {
    String position = key.position() == 0 ? "" : key.position() + " ";
    return key.timestamp().toEpochMilli() + " " + position + key.id().value();
  }

  private static EventKey key(String place) {
    String[] parts = parts(place);
    Instant time = Instant.ofEpochMilli(number(parts[0]));
    boolean placed = parts[1].indexOf(' ') > 0;
    String[] rest = placed ? parts(parts[1]) : new String[] {"0", parts[1]};
    try {
      return new EventKey(time, number(rest[0]), new EventId(rest[1]));
    } catch (IllegalArgumentException e) {
      throw bad();
    }
  }

  private static String[] parts(String place) {
    int gap = place.indexOf(' ');
    if (gap < 0) {
      throw bad();
    }
    return new String[] {place.substring(0, gap), place.substring(gap + 1)};
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw bad();
    }
  }

  private static String encode(char kind, String scope, String place) {
    byte[] content = (kind + place).getBytes(StandardCharsets.UTF_8);
    byte[] token =
        ByteBuffer.allocate(CHECKSUM_BYTES + content.length)
            .putInt(checksum(content, scope))
            .put(content)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  private static String decode(char kind, String scope, String token) {
    ByteBuffer bytes = ByteBuffer.wrap(base64(token));
    if (bytes.remaining() <= CHECKSUM_BYTES) {
      throw bad();
    }
    int checksum = bytes.getInt();
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    if (checksum != checksum(content, scope) || content[0] != kind) {
      throw bad();
    }
    return new String(content, 1, content.length - 1, StandardCharsets.UTF_8);
  }

  /// The kind that a token claims to be of; unchecked.
  private static char kind(String token) {
    byte[] bytes = base64(token);
    return bytes.length > CHECKSUM_BYTES ? (char) bytes[CHECKSUM_BYTES] : ' ';
  }

  private static byte[] base64(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw bad();
    }
  }

  private static int checksum(byte[] content, String scope) {
    CRC32 crc = new CRC32();
    crc.update(content);
    crc.update(scope.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  /// The refusal of a token, for callers that find out later that it does not fit.
  public static MemoryException bad() {
    return new MemoryException(
        ErrorCode.INVALID_TOKEN,
        PageRequest.TOKEN + ": was not issued for this request; start again without a token");
  }
}
