package dev.agentmemory.storage.internal.codec;

import dev.agentmemory.store.Change;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.util.List;
import java.util.Optional;

/// A commit after the work that does not depend on stored rows: encoding rows and computing
/// digests. That work is done on the caller's thread.
///
/// @param steps one for each change
/// @param always rows that are written in any case
/// @param appends how many steps are events
/// @param bytes memory that it takes while it waits
public record Prepared(List<Step> steps, BatchBytes always, int appends, long bytes) {

  /// Whether it removes events.
  public boolean erases() {
    return steps.size() > appends
        && steps.stream()
            .anyMatch(step ->
                step instanceof Step.Other(Change change, Value _)
                    && change instanceof Change.EraseEvent);
  }

  /// One change.
  public sealed interface Step {

    /// An event.
    ///
    /// @param at its key, with the position that it came with
    /// @param key of its row in `events`
    /// @param natural whether that key follows from its id alone
    /// @param digest of the event as it was received
    /// @param rows its rows in `events`, `sessions` and `event_ids`
    /// @param blanks where its position has to be written; empty when the event came with one
    record Append(
        Event event,
        EventKey at,
        Value key,
        boolean natural,
        String digest,
        BatchBytes rows,
        Optional<Blanks> blanks)
        implements Step {}

    /// Any other change whose rows depend on stored rows.
    ///
    /// @param value the encoded value of a put; empty for a deletion
    record Other(Change change, Value value) implements Step {}
  }

  /// Offsets of an event's position in its rows, counted from the beginning of the first row.
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
