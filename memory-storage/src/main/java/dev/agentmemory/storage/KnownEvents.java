package dev.agentmemory.storage;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
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
    var rows = view.get(Family.EVENTS, keys);
    for (int i = 0; i < rows.size(); i++) {
      found(events.get(i), rows.get(i));
    }
  }

  private void loadOthers(List<EventId> events) {
    var keys = view.get(Family.EVENT_IDS, events.stream().map(Keys::eventId).toList());
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      if (key != null) {
        found(events.get(i), view.get(Family.EVENTS, key));
      }
    }
  }

  private void found(EventId id, byte @Nullable [] row) {
    if (row != null) {
      // A row that cannot be read has no digest that any event could equal.
      digests.put(id, EventCodec.digest(row).orElse(""));
    }
  }
}
