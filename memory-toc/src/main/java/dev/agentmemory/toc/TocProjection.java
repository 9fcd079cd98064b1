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
    List<Event> events = desk.store().events(entries.stream().map(OutboxEntry::event).toList());
    Map<EventKey, Event> known = new HashMap<>();
    events.forEach(event -> known.put(event.key(), event));
    Map<SessionId, List<SegmentEntry>> sessions = sessions(events);
    desk.write(
        Checkpoint.at(NAME, entries.getLast().sequence()),
        draft -> {
          List<SessionCutter.Recut> recuts = new ArrayList<>(sessions.size());
          sessions.forEach((session, fresh) -> recuts.add(cutter.add(session, fresh)));
          builder.apply(draft, recuts, known);
          return recuts.size();
        });
  }

  /// The entries of each session in time order.
  private Map<SessionId, List<SegmentEntry>> sessions(List<Event> events) {
    List<SegmentEntry> entries = builder.entries(events);
    Map<SessionId, List<SegmentEntry>> sessions = new TreeMap<>();
    for (int i = 0; i < events.size(); i++) {
      sessions
          .computeIfAbsent(events.get(i).session(), id -> new ArrayList<>())
          .add(entries.get(i));
    }
    sessions.values().forEach(fresh -> fresh.sort(null));
    return sessions;
  }
}
