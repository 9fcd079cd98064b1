package dev.agentmemory.toc;

import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Follows the outbox: every batch of new events becomes one commit that holds segments, nodes,
/// grips, dirty marks and how far it has come. After a crash it goes on from there; nothing is done
/// twice and nothing is left out.
public final class TocProjection {

  /// The consumer's name, under which its cursor is stored.
  public static final String NAME = "toc";

  private final TocDesk desk;
  private final TocBuilder builder;
  private final SessionCutter cutter;

  public TocProjection(TocDesk desk, TocBuilder builder, SegmentationConfig config) {
    this.desk = desk;
    this.builder = builder;
    this.cutter = new SessionCutter(desk.store(), config, builder.calendar());
  }

  /// Applies entries that follow the stored cursor.
  ///
  /// @param entries ascending, not empty
  public void apply(List<OutboxEntry> entries) {
    Map<SessionId, List<Event>> sessions = read(entries);
    desk.write(
        Checkpoint.at(NAME, entries.getLast().sequence()),
        draft -> {
          sessions.forEach((session, events) -> add(draft, session, events));
          return sessions.size();
        });
  }

  private void add(TocDraft draft, SessionId session, List<Event> events) {
    Map<EventKey, Event> known = new HashMap<>();
    List<SegmentEntry> fresh = new ArrayList<>(events.size());
    for (Event event : events) {
      known.put(event.key(), event);
      fresh.add(builder.sizer().entry(event));
    }
    fresh.sort(null);
    builder.apply(draft, desk, cutter.add(session, fresh), known);
  }

  private Map<SessionId, List<Event>> read(List<OutboxEntry> entries) {
    Map<SessionId, List<Event>> sessions = new TreeMap<>();
    for (Event event : desk.store().events(entries.stream().map(OutboxEntry::event).toList())) {
      sessions.computeIfAbsent(event.session(), id -> new ArrayList<>()).add(event);
    }
    return sessions;
  }
}
