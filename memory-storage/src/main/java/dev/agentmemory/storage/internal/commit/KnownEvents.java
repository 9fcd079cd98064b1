package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Determines which events of a group are stored already, and with which content. Most events are
/// newer than all stored ones: their keys are after the last row, so no lookup is needed. The
/// others are looked up together. Nearly always the filters answer that there is none, without
/// reading a file.
final class KnownEvents {

  private final View view;
  private final Map<EventId, String> digests = new HashMap<>();

  /// No row of `events` and of `event_ids` is after these keys.
  private byte[] lastEvent;

  private byte[] lastId;

  KnownEvents(View view) {
    this.view = view;
    this.lastEvent = view.lastKey(Table.EVENTS);
    this.lastId = view.lastKey(Table.EVENT_IDS);
  }

  /// Clears the last group and looks up the events of the next one.
  void load(List<Prepared> group) {
    digests.clear();
    var events = new ArrayList<Prepared.Step.Append>();
    for (Prepared commit : group) {
      for (Prepared.Step step : commit.steps()) {
        if (step instanceof Prepared.Step.Append append) {
          events.add(append);
        }
      }
    }
    loadNatural(events);
    loadOthers(events);
  }

  /// The digest of a known event.
  Optional<String> digest(EventId id) {
    return Optional.ofNullable(digests.get(id));
  }

  /// Adds an event of the current group.
  void add(Prepared.Step.Append append) {
    EventId id = append.event().id();
    digests.put(id, append.digest());
    lastEvent = later(lastEvent, append.rows().key());
    if (!append.rows().isNatural()) {
      lastId = later(lastId, Keys.eventId(id));
    }
  }

  private void loadNatural(List<Prepared.Step.Append> events) {
    var ids = new ArrayList<EventId>(events.size());
    var keys = new ArrayList<byte[]>(events.size());
    for (Prepared.Step.Append append : events) {
      EventId id = append.event().id();
      boolean natural = append.rows().isNatural();
      if (natural || Keys.hasNaturalKey(id)) {
        byte[] key =
            natural ? append.rows().key() : Keys.event(id.embeddedTime().toEpochMilli(), id);
        if (!isBehind(lastEvent, key)) {
          ids.add(id);
          keys.add(key);
        }
      }
    }
    try {
      var rows = view.get(Table.EVENTS, keys);
      for (int i = 0; i < rows.size(); i++) {
        found(ids.get(i), rows.get(i));
      }
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      for (int i = 0; i < keys.size(); i++) {
        loadAlone(ids.get(i), keys.get(i));
      }
    }
  }

  private void loadAlone(EventId id, byte[] key) {
    try {
      found(id, view.get(Table.EVENTS, key));
    } catch (MemoryException e) {
      throw unknown(id, e);
    }
  }

  /// Nobody can tell whether an event is there: stored again it might be there twice, and an answer
  /// that it is known could lose it.
  private static MemoryException unknown(EventId id, MemoryException cause) {
    cause.rethrowUnless(ErrorCode.CORRUPT_RECORD);
    return new MemoryException(
        ErrorCode.CORRUPT_RECORD,
        "event %s was not stored, because the rows near it are damaged and may have it; run `memory doctor`, and send it again after the repair"
            .formatted(id),
        cause);
  }

  private void loadOthers(List<Prepared.Step.Append> events) {
    if (lastId.length == 0) {
      return;
    }
    List<EventId> ids =
        events.stream()
            .map(append -> append.event().id())
            .filter(id -> !isBehind(lastId, Keys.eventId(id)))
            .toList();
    try {
      var keys = view.get(Table.EVENT_IDS, ids.stream().map(Keys::eventId).toList());
      for (int i = 0; i < keys.size(); i++) {
        byte[] key = keys.get(i);
        if (key != null) {
          loadAlone(ids.get(i), key);
        }
      }
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      ids.forEach(this::loadOtherAlone);
    }
  }

  private void loadOtherAlone(EventId id) {
    try {
      byte[] key = view.get(Table.EVENT_IDS, Keys.eventId(id));
      if (key != null) {
        loadAlone(id, key);
      }
    } catch (MemoryException e) {
      throw unknown(id, e);
    }
  }

  private static boolean isBehind(byte[] last, byte[] key) {
    return Arrays.compareUnsigned(key, last) > 0;
  }

  private static byte[] later(byte[] one, byte[] other) {
    return isBehind(one, other) ? other : one;
  }

  private void found(EventId id, byte @Nullable [] row) {
    if (row != null) {
      // An unreadable row gets a digest that no event has.
      digests.put(id, EventCodec.digest(row).orElse(""));
    }
  }
}
