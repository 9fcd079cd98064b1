package dev.agentmemory.toc;

import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Which piece of work a segment belongs to: its session, or the session above it if that of a
/// subagent stands behind a slash. A segment never changes its session, so that is remembered. Used
/// by one thread at a time.
final class SegmentStrands {

  private static final int REMEMBERED = 10_000;

  private final StoreReader store;
  private final Map<NodeId, String> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  SegmentStrands(StoreReader store) {
    this.store = store;
  }

  /// @return the segment itself when it cannot be read
  String of(NodeId segment) {
    String strand = known.get(segment);
    if (strand != null) {
      return strand;
    }
    Optional<SessionId> session =
        ReadableSegments.of(store.segments(), segment).map(Segment::session);
    if (session.isEmpty()) {
      return segment.value();
    }
    String found = above(session.get()).orElse(session.get()).value();
    known.put(segment, found);
    return found;
  }

  /// The stored session of which the id stands before a slash.
  private Optional<SessionId> above(SessionId session) {
    int slash = session.value().lastIndexOf('/');
    if (slash <= 0) {
      return Optional.empty();
    }
    try {
      return store
          .sessions()
          .session(new SessionId(session.value().substring(0, slash)))
          .map(Session::id);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
