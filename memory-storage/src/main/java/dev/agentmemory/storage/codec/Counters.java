package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;

/// Exact counts, written in the same batch as the rows that they count. They include the outbox
/// head, so that the sequence continues after every entry was trimmed.
///
/// @param outboxTail the lowest sequence still kept; head + 1 when none is
/// @param records rows of `records`; 0 in rows of formats before 5
/// @param recordChanges how often a row of `records` was written or deleted; never decreases; 0 in
///   rows of formats before 5
public record Counters(
    long events,
    long outboxHead,
    long outboxTail,
    long dirtyNodes,
    long deadLetters,
    long records,
    long recordChanges) {

  public static final Counters NONE = new Counters(0, 0, 1, 0, 0, 0, 0);

  public byte[] encode() {
    return RowJson.object(json -> {
      json.writeNumberField("events", events);
      json.writeNumberField("outbox_head", outboxHead);
      json.writeNumberField("outbox_tail", outboxTail);
      json.writeNumberField("dirty_nodes", dirtyNodes);
      json.writeNumberField("dead_letters", deadLetters);
      json.writeNumberField("records", records);
      json.writeNumberField("record_changes", recordChanges);
    });
  }

  public static Counters decode(byte[] row) {
    return RowJson.parse(row, Counters::counters);
  }

  /// Counters after one more event, which takes the next outbox sequence.
  public Counters plusEvent() {
    return new Counters(
        events + 1, outboxHead + 1, outboxTail, dirtyNodes, deadLetters, records, recordChanges);
  }

  /// Counters after one more outbox entry of an event that is stored already.
  public Counters plusEntry() {
    return new Counters(
        events, outboxHead + 1, outboxTail, dirtyNodes, deadLetters, records, recordChanges);
  }

  /// Counters after one event less, whose removal takes the next outbox sequence.
  public Counters minusEvent() {
    return new Counters(
        events - 1, outboxHead + 1, outboxTail, dirtyNodes, deadLetters, records, recordChanges);
  }

  public Counters plusDirty(int more) {
    return new Counters(
        events, outboxHead, outboxTail, dirtyNodes + more, deadLetters, records, recordChanges);
  }

  public Counters plusLetters(int more) {
    return new Counters(
        events, outboxHead, outboxTail, dirtyNodes, deadLetters + more, records, recordChanges);
  }

  /// Counters after one more change of a row of `records`.
  ///
  /// @param more 1 when it added a row, -1 when it removed one, else 0
  public Counters plusRecordChange(int more) {
    return withRecords(records + more, recordChanges + 1);
  }

  public Counters withRecords(long rows, long changes) {
    return new Counters(events, outboxHead, outboxTail, dirtyNodes, deadLetters, rows, changes);
  }

  public Counters trimmed(long tail) {
    return new Counters(events, outboxHead, tail, dirtyNodes, deadLetters, records, recordChanges);
  }

  private static Counters counters(JsonNode row) {
    return new Counters(
        RowJson.number(row, "events"),
        RowJson.number(row, "outbox_head"),
        RowJson.number(row, "outbox_tail"),
        RowJson.number(row, "dirty_nodes"),
        RowJson.number(row, "dead_letters"),
        row.has("records") ? RowJson.number(row, "records") : 0,
        row.has("record_changes") ? RowJson.number(row, "record_changes") : 0);
  }
}
