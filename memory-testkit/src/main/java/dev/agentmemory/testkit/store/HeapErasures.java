package dev.agentmemory.testkit.store;

import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import java.nio.charset.StandardCharsets;
import java.util.NavigableSet;
import java.util.UUID;

/// What a [HeapStore] needs to erase events.
final class HeapErasures {

  private static final String DAY = "toc:day:";

  private HeapErasures() {}

  /// The key of a row by which an erased event is recognised. A store of a test needs no secret.
  static String key(String text) {
    return ErasedContent.ROWS + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A session of which some events were erased.
  ///
  /// @param left the keys of the others
  /// @param last the last one of them
  static Session without(Session before, NavigableSet<EventKey> left, Event last) {
    boolean same = left.last().equals(before.last());
    return new Session(
        before.id(),
        left.first(),
        left.last(),
        left.size(),
        same ? before.ended() : last.type() == EventType.SESSION_END,
        same ? before.agent() : last.agent().or(before::agent));
  }

  /// What the ids of segments begin with that start on a day.
  static String segmentsOf(NodeId day) {
    String date = day.value().substring(DAY.length(), DAY.length() + "2026-01-30".length());
    return "toc:segment:" + date + ":";
  }
}
