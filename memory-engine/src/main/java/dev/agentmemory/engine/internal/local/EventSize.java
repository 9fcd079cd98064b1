package dev.agentmemory.engine.internal.local;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.util.List;
import java.util.Map;

/// How many bytes an event takes in a response.
final class EventSize {

  /// Most bytes of events in one answer: below the 4 MiB that a gRPC client takes by default, and
  /// few enough that many callers at once do not fill the memory.
  static final long MOST = 3 << 20;

  /// Ids, times, enums and the frame around them.
  private static final int FIXED = 200;

  private static final int ENTRY = 16;

  /// What says that an id follows, and how long it is.
  private static final int ID_FRAME = 4;

  private EventSize() {}

  /// Bytes, never less than the event takes on the wire.
  static long of(Event event) {
    long bytes = FIXED + utf8(event.text()) + utf8(event.session().value());
    for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
      bytes += ENTRY + utf8(entry.getKey()) + utf8(entry.getValue());
    }
    return bytes + event.agent().map(EventSize::utf8).orElse(0L);
  }

  /// Bytes of a list of ids, never less than it takes on the wire.
  static long ofIds(List<EventId> ids) {
    return ids.stream().mapToLong(id -> ID_FRAME + id.value().length()).sum();
  }

  /// A surrogate pair has 4 bytes, so each half counts 2.
  private static long utf8(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit < 0x80) {
        bytes++;
      } else {
        bytes += unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
      }
    }
    return bytes;
  }
}
