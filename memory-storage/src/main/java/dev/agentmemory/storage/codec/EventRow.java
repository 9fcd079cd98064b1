package dev.agentmemory.storage.codec;

import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.EventKey;

/// The rows of one event in `events`, `sessions` and `event_ids`. They are encoded before the
/// position of the event in its session is decided; every position takes the same number of bytes.
public final class EventRow {

  private static final byte[] NOTHING = new byte[0];

  private final EventKey at;
  private final byte[] key;
  private final byte[] value;
  private final byte[] place;
  private final boolean natural;

  /// @param at the key of the event, with the position that it came with, 0 for none
  /// @param key of its row in `events`
  /// @param value of that row, with any position
  /// @param place its key in `sessions`, with any position
  public EventRow(EventKey at, byte[] key, byte[] value, byte[] place) {
    this.at = at;
    this.key = key;
    this.value = value;
    this.place = place;
    this.natural = Keys.isNatural(at);
  }

  public EventKey at() {
    return at;
  }

  /// Its key in `events`.
  public byte[] key() {
    return key;
  }

  /// Whether its key in `events` follows from its id alone.
  public boolean isNatural() {
    return natural;
  }

  /// Bytes that the rows take.
  public long size() {
    int byId = natural ? 0 : at.id().value().length() + key.length;
    return (long) key.length + value.length + place.length + byId;
  }

  /// Adds the rows to a batch.
  ///
  /// @param position that the event has in its session
  public void writeTo(RowBatch batch, long position) {
    if (at.position() == 0) {
      EventCodec.writePosition(position, value, EventCodec.POSITION_AT);
      Keys.writePosition(position, place, at.id());
    }
    batch.put(Table.EVENTS, key, value);
    batch.put(Table.SESSIONS, place, NOTHING);
    if (!natural) {
      batch.put(Table.EVENT_IDS, Keys.eventId(at.id()), key);
    }
  }
}
