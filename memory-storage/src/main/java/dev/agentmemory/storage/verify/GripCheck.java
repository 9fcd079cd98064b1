package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.GripCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.EventRows;
import dev.agentmemory.storage.read.SessionRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import java.util.ArrayList;
import java.util.Optional;

/// Checks that the excerpt of every grip occurs verbatim in an event of its range.
final class GripCheck {

  private static final int PAGE = 64;
  private static final long SLICE_CHARS = 4L << 20;

  private final View view;
  private final Findings findings;
  private final EventRows events;
  private final SessionRows sessions;

  GripCheck(View view, Findings findings) {
    this.view = view;
    this.findings = findings;
    this.events = new EventRows(view);
    this.sessions = new SessionRows(view);
  }

  void run() {
    view.scan(
        Table.GRIPS,
        Keys.gripPrefix(),
        row -> {
          byte[] key = row.key();
          findings
              .readable(Table.GRIPS, key, () -> GripCodec.decode(row.value()))
              .ifPresent(grip -> check(key, grip));
          return findings.more();
        });
  }

  private void check(byte[] key, Grip grip) {
    boolean inPlace = Keys.text(key).equals(grip.id().value());
    findings.demand(
        inPlace, Table.GRIPS, Keys.text(key), "is stored under the key of another grip");
    Optional<Event> first = event(key, grip, true);
    Optional<Event> last = event(key, grip, false);
    boolean whole =
        first.isPresent() && last.isPresent() && first.get().session().equals(last.get().session());
    findings.demand(whole, Table.GRIPS, grip.id(), "has no range within one session");
    if (whole) {
      boolean verbatim = occurs(grip.excerpt(), first.orElseThrow(), last.orElseThrow().key());
      findings.demand(
          verbatim, Table.GRIPS, grip.id(), "its excerpt occurs in no event of its range");
    }
  }

  private Optional<Event> event(byte[] key, Grip grip, boolean first) {
    var id = first ? grip.first() : grip.last();
    return findings.readable(Table.GRIPS, key, () -> events.event(id)).flatMap(found -> found);
  }

  private boolean occurs(String excerpt, Event first, EventKey last) {
    if (first.text().contains(excerpt)) {
      return first.key().compareTo(last) <= 0;
    }
    Optional<EventKey> after = Optional.of(first.key());
    while (true) {
      var page = new ArrayList<>(sessions.eventsAfter(first.session(), after, PAGE));
      page.removeIf(key -> key.compareTo(last) > 0);
      if (page.isEmpty()) {
        return false;
      }
      EventSlice read = events.events(page, SLICE_CHARS);
      if (read.events().stream().anyMatch(event -> event.text().contains(excerpt))) {
        return true;
      }
      after = Optional.of(page.get(read.keys() - 1));
    }
  }
}
