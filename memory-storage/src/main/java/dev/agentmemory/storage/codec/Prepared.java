package dev.agentmemory.storage.codec;

import dev.agentmemory.storage.rows.RowChange;
import dev.agentmemory.store.Change;
import dev.agentmemory.types.Event;
import java.util.List;

/// A commit after the work that does not depend on stored rows: encoding rows and computing
/// digests. That work is done on the caller's thread.
///
/// @param steps one for each change
/// @param always rows that are written in any case
/// @param appends how many steps are events
/// @param bytes memory that it takes while it waits
public record Prepared(List<Step> steps, List<RowChange> always, int appends, long bytes) {

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
    /// @param digest of the event as it was received
    record Append(Event event, String digest, EventRow rows) implements Step {}

    /// Any other change whose rows depend on stored rows.
    ///
    /// @param value the encoded value of a put; empty for a deletion
    record Other(Change change, Value value) implements Step {}
  }

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
