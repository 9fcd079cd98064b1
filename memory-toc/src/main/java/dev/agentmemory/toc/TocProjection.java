package dev.agentmemory.toc;

import dev.agentmemory.spi.Projection;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.toc.internal.segment.SegmentReconciler;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Follows the outbox: new events, a bounded weight at a time, become one commit that holds
/// segments, nodes, grips, dirty marks and how far it has come. After a crash it goes on from
/// there; nothing is done twice and nothing is left out.
public final class TocProjection implements Projection {

  /// The consumer's name, under which its cursor is stored.
  public static final String NAME = "toc";

  /// What the events of one commit weigh at most, by [Event#chars]; a larger one comes alone.
  private static final long BATCH_CHARS = 16L << 20;

  private final TocWriter writer;
  private final TocBuilder builder;
  private final SegmentReconciler cutter;

  public TocProjection(TocWriter writer, TocBuilder builder, SegmentationConfig config) {
    this.writer = writer;
    this.builder = builder;
    this.cutter = new SegmentReconciler(writer.store().segments(), config, builder.calendar());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long cursor() {
    return cursor(writer.store().checkpoints());
  }

  static long cursor(CheckpointReader store) {
    return store.checkpoint(NAME).map(Checkpoint::cursor).orElse(0L);
  }

  @Override
  public void passOver(long through) {
    writer.store().commit(Commit.of(Checkpoint.at(NAME, through)));
  }

  /// {@inheritDoc} As many as their events' weight allows.
  ///
  /// @throws dev.agentmemory.types.MemoryException `CORRUPT_RECORD` when an event cannot be read
  @Override
  public int apply(List<OutboxEntry> entries) {
    long erasures = writer.erasures();
    EventSlice slice =
        writer
            .store()
            .events()
            .events(entries.stream().map(OutboxEntry::event).toList(), BATCH_CHARS);
    int taken = slice.keys();
    long through = entries.get(taken - 1).sequence();
    if (slice.events().size() < taken) {
      refuseUnreadable(entries.subList(0, taken), slice.events());
    }
    write(Optional.of(Checkpoint.at(NAME, through)), slice.events(), erasures);
    return taken;
  }

  /// Applies one entry again that was given up; how far the others have come does not change.
  public void retry(OutboxEntry entry) {
    long erasures = writer.erasures();
    List<Event> event = writer.store().events().event(entry.event().id()).stream().toList();
    write(Optional.empty(), event, erasures);
  }

  /// Lists leave out what they cannot read; asked for alone it says so.
  private void refuseUnreadable(List<OutboxEntry> entries, List<Event> read) {
    Set<EventKey> there = new HashSet<>();
    read.forEach(event -> there.add(event.key()));
    entries.stream()
        .map(OutboxEntry::event)
        .filter(key -> !there.contains(key))
        .forEach(key -> writer.store().events().event(key.id()));
  }

  /// @param erasures as of before the events were read: what was erased since must not come back
  private void write(Optional<Checkpoint> checkpoint, List<Event> whole, long erasures) {
    List<Event> events = whole.stream().map(builder::cut).toList();
    Map<EventKey, Event> known = new HashMap<>();
    events.forEach(event -> known.put(event.key(), event));
    Map<SessionId, List<SegmentEntry>> sessions = sessions(events);
    writer.write(
        checkpoint,
        draft -> {
          if (writer.erasures() != erasures) {
            dropErased(known, sessions);
          }
          List<SegmentReconciler.SegmentDelta> recuts = new ArrayList<>(sessions.size());
          sessions.forEach((session, fresh) -> recuts.add(cutter.add(session, fresh)));
          builder.apply(draft, recuts, known);
          return recuts.size();
        });
  }

  private void dropErased(Map<EventKey, Event> known, Map<SessionId, List<SegmentEntry>> sessions) {
    Set<EventKey> there = new HashSet<>();
    writer
        .store()
        .events()
        .events(List.copyOf(known.keySet()))
        .forEach(event -> there.add(event.key()));
    known.keySet().retainAll(there);
    sessions.values().forEach(fresh -> fresh.removeIf(entry -> !there.contains(entry.key())));
    sessions.values().removeIf(List::isEmpty);
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
