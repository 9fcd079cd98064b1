package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The events that a request to forget means.
final class EventSelection {

  /// Events of one erasure.
  private static final int MOST = 200_000;

  private static final int PAGE = 500;
  private static final long PAGE_CHARS = 8L << 20;

  /// Tags in an event's metadata, separated by commas.
  private static final String TAGS = "tags";

  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final MemoryStore store;
  private final Optional<WorkspaceName> owner;
  private final Map<SessionId, Set<EventKey>> chosen = new TreeMap<>();
  private int count;

  private EventSelection(MemoryStore store, Optional<WorkspaceName> owner) {
    this.store = store;
    this.owner = owner;
  }

  /// @param owner the workspace, where several share the store
  /// @param evidence events that chosen memories rest on
  static Map<SessionId, Set<EventKey>> of(
      MemoryStore store, Optional<WorkspaceName> owner, Forgetting what, Set<EventId> evidence) {
    var selection = new EventSelection(store, owner);
    selection.choose(what, evidence);
    return selection.chosen;
  }

  private void choose(Forgetting what, Set<EventId> evidence) {
    what.events().forEach(this::named);
    evidence.forEach(this::named);
    Instant from = what.after().orElse(Instant.EPOCH);
    Instant to = what.before().orElse(END);
    if (what.session().isPresent()) {
      SessionId session = owner.map(what.session().get()::in).orElse(what.session().get());
      ofSession(session, from, to, what);
    } else if (what.all() || (isDescribed(what) && !needsText(what))) {
      ofSessions(from, to, what);
    } else if (isDescribed(what)) {
      inTime(from, to, what);
    }
  }

  private static boolean isDescribed(Forgetting what) {
    return what.source().isEmpty()
        && (what.agent().isPresent()
            || what.topic().isPresent()
            || what.after().isPresent()
            || what.before().isPresent());
  }

  private void named(EventId id) {
    EventId stored = owner.map(name -> id.plain().in(name)).orElse(id);
    try {
      store.events().event(stored).ifPresent(this::add);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "event %s cannot be read, so it cannot be erased alone; forget its session or its time"
              .formatted(id),
          e);
    }
  }

  private void add(Event event) {
    add(event.session(), event.key());
  }

  /// @throws MemoryException `INVALID_FIELD` when there are too many to be in memory at once
  private void add(SessionId session, EventKey key) {
    if (chosen.computeIfAbsent(session, _ -> new HashSet<>()).add(key) && ++count > MOST) {
      throw MemoryException.invalid(
          "forget",
          ("means more than %,d events; name a time (before_ms) and send several requests, or delete"
                  + " the workspace")
              .formatted(MOST));
    }
  }

  private void ofSession(SessionId session, Instant from, Instant to, Forgetting what) {
    List<EventKey> page = List.of();
    do {
      checkStop();
      Optional<EventKey> after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
      page = store.sessions().eventsAfter(session, after, PAGE);
      List<EventKey> meant =
          page.stream()
              .filter(key -> !key.timestamp().isBefore(from) && key.timestamp().isBefore(to))
              .toList();
      if (needsText(what)) {
        read(meant, event -> isMeant(event, what));
      } else {
        meant.forEach(key -> add(session, key));
      }
    } while (page.size() == PAGE);
  }

  /// By the places in sessions, so that events are chosen that cannot be read.
  private void ofSessions(Instant from, Instant to, Forgetting what) {
    List<Session> page = List.of();
    do {
      Optional<SessionId> after =
          page.isEmpty() ? Optional.empty() : Optional.of(page.getLast().id());
      page = store.sessions().sessions(after, PAGE);
      page.stream()
          .map(Session::id)
          .filter(id -> id.workspace().equals(owner))
          .forEach(id -> ofSession(id, from, to, what));
    } while (page.size() == PAGE);
  }

  private static boolean needsText(Forgetting what) {
    return what.agent().isPresent() || what.topic().isPresent() || what.source().isPresent();
  }

  private void inTime(Instant from, Instant to, Forgetting what) {
    inTime(from, to, event -> isMeant(event, what), Integer.MAX_VALUE);
  }

  /// @param most ends when about that many are chosen
  private void inTime(Instant from, Instant to, Predicate<Event> meant, int most) {
    List<EventKey> page = List.of();
    do {
      checkStop();
      Optional<EventKey> after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
      page = store.events().eventKeys(from, to, after, PAGE);
      read(page.stream().filter(key -> key.id().workspace().equals(owner)).toList(), meant);
    } while (page.size() == PAGE && count < most);
  }

  private void read(List<EventKey> keys, Predicate<Event> meant) {
    read(
        store.events(),
        keys,
        event -> {
          if (meant.test(event)) {
            add(event);
          }
        });
  }

  /// Reads the events that exist, few large ones at a time.
  static void read(EventReader log, List<EventKey> keys, Consumer<Event> use) {
    List<EventKey> left = keys;
    while (!left.isEmpty()) {
      var slice = log.events(left, PAGE_CHARS);
      slice.events().forEach(use);
      left = left.subList(slice.keys(), left.size());
    }
  }

  private static boolean isMeant(Event event, Forgetting what) {
    return what.source().isEmpty()
        && what.agent().map(agent -> event.agent().filter(agent::equals).isPresent()).orElse(true)
        && what.topic()
            .map(topic ->
                Arrays.stream(event.metadata().getOrDefault(TAGS, "").split(",", -1))
                    .map(String::strip)
                    .anyMatch(
                        tag -> tag.equals(topic.value()) || tag.startsWith(topic.value() + ".")))
            .orElse(true);
  }

  private static void checkStop() {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(ErrorCode.CLOSED, "the daemon is stopping; nothing was erased");
    }
  }

  /// The earliest events before a time.
  ///
  /// @param limit at most about that many
  static Map<SessionId, Set<EventKey>> before(
      MemoryStore store, Optional<WorkspaceName> owner, Instant before, int limit) {
    var selection = new EventSelection(store, owner);
    selection.inTime(Instant.EPOCH, before, _ -> true, limit);
    return selection.chosen;
  }

  /// The events that have come back after they were erased.
  ///
  /// @param limit at most about that many
  static Map<SessionId, Set<EventKey>> erased(
      MemoryStore store, Optional<WorkspaceName> owner, int limit) {
    var selection = new EventSelection(store, owner);
    selection.inTime(Instant.EPOCH, END, store::wasErased, limit);
    return selection.chosen;
  }

  /// The sessions of which every event is chosen.
  static Set<SessionId> whole(MemoryStore store, Map<SessionId, Set<EventKey>> chosen) {
    Set<SessionId> whole = new HashSet<>();
    chosen.forEach((id, keys) -> {
      long events = store.sessions().session(id).map(Session::events).orElse(0L);
      if (events <= keys.size()) {
        whole.add(id);
      }
    });
    return whole;
  }
}
