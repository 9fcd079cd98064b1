package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;

/// Exact counts, written in the same batch as what they count. The outbox head stands here so that
/// the sequence goes on where it was even after every entry was trimmed.
///
/// @param outboxTail the lowest sequence still kept; head + 1 when none is
record Counters(long events, long outboxHead, long outboxTail, long dirtyNodes, long deadLetters) {

  static final Counters NONE = new Counters(0, 0, 1, 0, 0);

  byte[] encode() {
    return Json.object(json -> {
      json.writeNumberField("events", events);
      json.writeNumberField("outbox_head", outboxHead);
      json.writeNumberField("outbox_tail", outboxTail);
      json.writeNumberField("dirty_nodes", dirtyNodes);
      json.writeNumberField("dead_letters", deadLetters);
    });
  }

  static Counters decode(byte[] row) {
    return Json.parse(row, Counters::counters);
  }

  /// Counters after one more event, which takes the next outbox sequence.
  Counters plusEvent() {
    return new Counters(events + 1, outboxHead + 1, outboxTail, dirtyNodes, deadLetters);
  }

  Counters plusDirty(int more) {
    return new Counters(events, outboxHead, outboxTail, dirtyNodes + more, deadLetters);
  }

  Counters plusLetters(int more) {
    return new Counters(events, outboxHead, outboxTail, dirtyNodes, deadLetters + more);
  }

  Counters trimmed(long tail) {
    return new Counters(events, outboxHead, tail, dirtyNodes, deadLetters);
  }

  private static Counters counters(JsonNode row) {
    return new Counters(
        Json.number(row, "events"),
        Json.number(row, "outbox_head"),
        Json.number(row, "outbox_tail"),
        Json.number(row, "dirty_nodes"),
        Json.number(row, "dead_letters"));
  }
}
