package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.types.EventKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiFunction;

/// Collects rows of `events` in the order of [EventKey]. The keys in the table are ordered by
/// timestamp and id, so the rows of one millisecond may be in another order. The first ones of
/// these are kept in a heap until the millisecond is complete. The limit bounds the size of the
/// heap, however many events share a millisecond.
///
/// @param <T> the result for a row
final class EventScan<T> {

  private final Optional<EventKey> after;
  private final int limit;
  private final BiFunction<Cursor, EventKey, Optional<T>> reading;
  private final List<T> found = new ArrayList<>();

  /// The rows of the current millisecond, the last one first.
  private final PriorityQueue<Kept<T>> kept =
      new PriorityQueue<>((one, other) -> other.key().compareTo(one.key()));

  private long millis = -1;

  private record Kept<T>(EventKey key, T value) {}

  /// @param after only rows after this key
  /// @param reading converts the current row; returns nothing when it cannot be read
  EventScan(
      Optional<EventKey> after, int limit, BiFunction<Cursor, EventKey, Optional<T>> reading) {
    this.after = after;
    this.limit = limit;
    this.reading = reading;
  }

  /// Handles the next row.
  ///
  /// @return whether more rows are needed
  boolean row(Cursor row) {
    EventKey bare = Keys.toEvent(row.key());
    if (bare.timestamp().toEpochMilli() != millis) {
      millis = bare.timestamp().toEpochMilli();
      endMillisecond();
      if (found.size() >= limit) {
        return false;
      }
    }
    long position = EventCodec.position(row.head(EventCodec.HEAD_LENGTH));
    take(row, new EventKey(bare.timestamp(), position, bare.id()));
    return true;
  }

  private void take(Cursor row, EventKey key) {
    if (after.isPresent() && key.compareTo(after.get()) <= 0) {
      return;
    }
    boolean full = found.size() + kept.size() == limit;
    if (full && key.compareTo(kept.element().key()) > 0) {
      return;
    }
    Optional<T> value = reading.apply(row, key);
    if (value.isPresent()) {
      if (full) {
        kept.remove();
      }
      kept.add(new Kept<>(key, value.get()));
    }
  }

  private void endMillisecond() {
    int first = found.size();
    while (!kept.isEmpty()) {
      found.add(kept.remove().value());
    }
    Collections.reverse(found.subList(first, found.size()));
  }

  /// The result, after the last row.
  List<T> finish() {
    endMillisecond();
    return List.copyOf(found);
  }
}
