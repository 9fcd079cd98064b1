package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.text.masked.KnownSecrets;
import dev.agentmemory.text.masked.MaskTally;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// The secrets of stored events, by the rules that apply at ingest now: what was stored before a
/// rule existed has them still. Finding them writes nothing; [#mask] replaces them.
public final class StoredSecrets {

  /// Events that are read at once.
  private static final int PAGE = 256;

  /// What the events weigh that are read at once, by [Event#chars].
  private static final long PAGE_CHARS = 8L << 20;

  /// Every timestamp of an event is before it.
  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE);

  private static final String STOPPED =
      "the masking of stored secrets was stopped; run it again to finish it";

  private final MemoryStore store;
  private final EventMasking masking;

  /// The events that have secrets.
  private final NavigableSet<EventKey> events = new TreeSet<>();

  private final NavigableSet<Instant> times = new TreeSet<>();
  private final Set<EventId> ids = new HashSet<>();
  private final Set<SessionId> sessions = new HashSet<>();
  private final KnownSecrets known = new KnownSecrets();
  private final MaskTally tally = new MaskTally();

  private StoredSecrets(MemoryStore store, IngestLimits limits) {
    this.store = store;
    this.masking = new EventMasking(limits);
  }

  /// Reads all events.
  ///
  /// @throws MemoryException `CLOSED` when the thread is interrupted
  public static StoredSecrets find(MemoryStore store, IngestLimits limits) {
    var found = new StoredSecrets(store, limits);
    found.look();
    return found;
  }

  private void look() {
    EventReader log = store.events();
    Optional<EventKey> after = Optional.empty();
    List<EventKey> keys = log.eventKeys(Instant.EPOCH, END, after, PAGE);
    while (!keys.isEmpty()) {
      checkStop();
      List<EventKey> left = keys;
      while (!left.isEmpty()) {
        var slice = log.events(left, PAGE_CHARS);
        slice.events().forEach(this::look);
        left = left.subList(slice.keys(), left.size());
      }
      after = Optional.of(keys.getLast());
      keys = log.eventKeys(Instant.EPOCH, END, after, PAGE);
    }
  }

  private void look(Event event) {
    if (masking.isSecret(event.session())) {
      sessions.add(event.session());
    }
    Event masked = masking.content(event);
    if (masked.equals(event)) {
      return;
    }
    events.add(event.key());
    times.add(event.timestamp());
    ids.add(event.id().plain());
    masking.forEachSecret(event, known::add);
    tally.add(said(event), said(masked));
  }

  private static String said(Event event) {
    var said = new StringBuilder(event.text()).append('\n').append(event.agent().orElse(""));
    event.metadata().forEach((key, value) -> said.append('\n').append(key + '\n' + value));
    return said.toString();
  }

  /// Whether no event has any.
  public boolean isEmpty() {
    return events.isEmpty();
  }

  /// How many events have secrets.
  public MaskTally tally() {
    return tally;
  }

  /// How many sessions have an id with a secret. Ids are part of keys and are not masked.
  public long sessions() {
    return sessions.size();
  }

  /// The secrets themselves, for texts that were made of the events.
  public KnownSecrets known() {
    return known;
  }

  /// Whether an event has secrets.
  ///
  /// @param id with or without a workspace's name
  public boolean has(EventId id) {
    return ids.contains(id.plain());
  }

  /// Whether an event of a time has secrets.
  ///
  /// @param to included
  public boolean hasBetween(Instant from, Instant to) {
    return Optional.ofNullable(times.ceiling(from)).filter(next -> !next.isAfter(to)).isPresent();
  }

  /// An event as it is after [#mask].
  public Event masked(Event event) {
    return masking.content(event);
  }

  /// Masks the events, some at a time. Each commit is complete in itself, so what is left after a
  /// crash is found again.
  ///
  /// @param beside what has to change in the same commit as an event
  /// @param commit commits changes
  /// @throws MemoryException `CLOSED` when the thread is interrupted
  public void mask(Function<Event, List<Change>> beside, Consumer<List<Change>> commit) {
    List<EventKey> left = List.copyOf(events);
    while (!left.isEmpty()) {
      checkStop();
      var slice = store.events().events(left.subList(0, Math.min(PAGE, left.size())), PAGE_CHARS);
      List<Change> changes = new ArrayList<>();
      for (Event event : slice.events()) {
        changes.add(new Change.MaskEvent(masking.content(event)));
        changes.addAll(beside.apply(event));
      }
      commit.accept(changes);
      left = left.subList(slice.keys(), left.size());
    }
  }

  private static void checkStop() {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(ErrorCode.CLOSED, STOPPED);
    }
  }
}
