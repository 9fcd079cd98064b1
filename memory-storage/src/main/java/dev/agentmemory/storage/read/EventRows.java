package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// Reads `events` and `event_ids`.
public record EventRows(View view) implements EventReader {

  /// Keys that are looked up with one call into the engine. The number is small, because an event
  /// may be larger than a megabyte and its size is not known before. Eight keys save most of what
  /// one call for many can save.
  private static final int CHUNK = 8;

  @Override
  public Optional<Event> event(EventId id) {
    return row(id).map(EventCodec::decode);
  }

  /// The row of an event. For most events the key follows from the time in the id.
  Optional<byte[]> row(EventId id) {
    byte[] other = view.get(Table.EVENT_IDS, Keys.eventId(id));
    if (other != null) {
      return Optional.ofNullable(view.get(Table.EVENTS, other));
    }
    if (!Keys.hasNaturalKey(id)) {
      return Optional.empty();
    }
    byte[] natural = Keys.event(id.embeddedTime().toEpochMilli(), id);
    return Optional.ofNullable(view.get(Table.EVENTS, natural));
  }

  @Override
  public List<Event> events(List<EventKey> keys) {
    return events(keys, Long.MAX_VALUE).events();
  }

  @Override
  public EventSlice events(List<EventKey> keys, long maxChars) {
    var found = new ArrayList<Event>();
    long chars = 0;
    for (int start = 0; start < keys.size(); start += CHUNK) {
      List<byte[]> chunk =
          keys.subList(start, Math.min(start + CHUNK, keys.size())).stream()
              .map(Keys::event)
              .toList();
      var rows = view.getReadable(Table.EVENTS, chunk);
      for (int i = 0; i < chunk.size(); i++) {
        byte[] row = rows.get(i);
        Optional<Event> event = row == null ? Optional.empty() : decoded(chunk.get(i), row);
        chars += event.map(Event::chars).orElse(0L);
        if (chars > maxChars && event.isPresent() && !found.isEmpty()) {
          return new EventSlice(found, start + i);
        }
        event.ifPresent(found::add);
      }
    }
    return new EventSlice(found, keys.size());
  }

  @Override
  public List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit) {
    return scan(from, to, after, limit, (row, place) -> decoded(row.key(), row.value()));
  }

  @Override
  public List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit) {
    return scan(from, to, after, limit, (row, place) -> Optional.of(place));
  }

  private <T> List<T> scan(
      Instant from,
      Instant to,
      Optional<EventKey> after,
      int limit,
      BiFunction<Cursor, EventKey, Optional<T>> reading) {
    View.checkLimit(limit);
    var found = new EventScan<>(after, limit, reading);
    // A later event of the same millisecond may have a lower id, so the whole millisecond is read.
    Instant start = after.map(EventKey::timestamp).filter(from::isBefore).orElse(from);
    view.scan(Table.EVENTS, Keys.eventsFrom(start), Keys.eventsTo(to), found::row);
    return found.finish();
  }

  private Optional<Event> decoded(byte[] key, byte[] row) {
    return view.tolerant(Table.EVENTS, key, () -> EventCodec.decode(row));
  }
}
