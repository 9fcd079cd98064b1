package dev.agentmemory.storage.internal.codec;

import dev.agentmemory.store.Change;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.util.List;
import java.util.Optional;

/// A commit with everything done that needs no knowledge of what is stored: rows are encoded and
/// digests computed, on the caller's own thread.
///
/// @param steps one for each change
/// @param always rows that are written whatever is stored
/// @param appends how many steps are events
/// @param bytes room that it takes while it waits
public record Prepared(List<Step> steps, BatchBytes always, int appends, long bytes) {

  /// One change.
  public sealed interface Step {

    /// An event.
    ///
    /// @param at its place, with the position that it came with
    /// @param key of its row in `events`
    /// @param natural whether that key follows from its id alone
    /// @param digest of the event as it came in
    /// @param rows its rows in `events`, `sessions` and `event_ids`
    /// @param blanks where its position has to be written; empty when the event brought one
    record Append(
        Event event,
        EventKey at,
        Value key,
        boolean natural,
        String digest,
        BatchBytes rows,
        Optional<Blanks> blanks)
        implements Step {}

    /// Any other change whose rows depend on what is stored.
    ///
    /// @param value the encoded value of what is put, nothing for what is taken away
    record Other(Change change, Value value) implements Step {}
  }

  /// Where the position of an event stands in its rows, counted from the beginning of the first.
  ///
  /// @param row in the row of `events`
  /// @param place in the key of `sessions`
  public record Blanks(int row, int place) {}

  /// An encoded value.
  public static final class Value {

    public static final Value NONE = new Value(new byte[0]);

    private final byte[] bytes;

    public Value(byte[] bytes) {
      this.bytes = bytes;
    }

    public byte[] bytes() {
      return bytes;
    }
  }
}
