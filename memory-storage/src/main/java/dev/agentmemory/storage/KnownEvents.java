package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which events of a group exist already, and with which content. Looks all of them up at once;
/// nearly always nothing is found, which the filters answer without touching a file.
final class KnownEvents {

  private final View view;
  private final Map<EventId, String> digests = new HashMap<>();
  private boolean idsEmpty;

  KnownEvents(View view) {
    this.view = view;
    this.idsEmpty = view.isEmpty(Family.EVENT_IDS);
  }

  /// Forgets the last group and looks up the events of the next one.
  void load(List<Prepared> group) {
    digests.clear();
    var events = new ArrayList<EventId>();
    for (Prepared commit : group) {
      for (Prepared.Step step : commit.steps()) {
        if (step instanceof Prepared.Step.Append append) {
          events.add(append.event().id());
        }
      }
    }
    loadNatural(events.stream().filter(Keys::hasNaturalKey).toList());
    if (!idsEmpty) {
      loadOthers(events);
    }
  }

  /// The digest of a known event.
  Optional<String> digest(EventId id) {
    return Optional.ofNullable(digests.get(id));
  }

  /// Notes an event that the group at hand adds.
  void add(Event event, String digest) {
    digests.put(event.id(), digest);
    idsEmpty &= Keys.isNatural(event.key());
  }

  private void loadNatural(List<EventId> events) {
    List<byte[]> keys =
        events.stream().map(id -> Keys.event(id.embeddedTime().toEpochMilli(), id)).toList();
    try {
      var rows = view.get(Family.EVENTS, keys);
      for (int i = 0; i < rows.size(); i++) {
        found(events.get(i), rows.get(i));
      }
    } catch (MemoryException e) {
      demandDamage(e);
      for (int i = 0; i < keys.size(); i++) {
        loadAlone(events.get(i), keys.get(i));
      }
    }
  }

  /// An event that may be there and cannot be read counts as known with other content: taken as new
  /// it could be stored twice.
  private void loadAlone(EventId id, byte[] key) {
    try {
      found(id, view.get(Family.EVENTS, key));
    } catch (MemoryException e) {
      demandDamage(e);
      digests.put(id, "");
    }
  }

  private static void demandDamage(MemoryException e) {
    if (e.code() != ErrorCode.CORRUPT_RECORD) {
      throw e;
    }
  }

  private void loadOthers(List<EventId> events) {
    try {
      var keys = view.get(Family.EVENT_IDS, events.stream().map(Keys::eventId).toList());
      for (int i = 0; i < keys.size(); i++) {
        byte[] key = keys.get(i);
        if (key != null) {
          loadAlone(events.get(i), key);
        }
      }
    } catch (MemoryException e) {
      demandDamage(e);
      events.forEach(this::loadOtherAlone);
    }
  }

  private void loadOtherAlone(EventId id) {
    try {
      byte[] key = view.get(Family.EVENT_IDS, Keys.eventId(id));
      if (key != null) {
        loadAlone(id, key);
      }
    } catch (MemoryException e) {
      demandDamage(e);
      digests.put(id, "");
    }
  }

  private void found(EventId id, byte @Nullable [] row) {
    if (row != null) {
      // A row that cannot be read has no digest that any event could equal.
      digests.put(id, EventCodec.digest(row).orElse(""));
    }
  }
}
