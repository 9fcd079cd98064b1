package dev.agentmemory.cli.export;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which events, sessions and times belong to a selection.
///
/// Which events were written is kept in a filter of fixed size, whatever their number. It may take
/// another event for one of them, so its answer is checked by reading that event. Of sessions and
/// of the evidence of a topic the ids are kept.
final class SelectedEvents {

  /// Of a million events the filter takes 2 of 1,000 others for one of them.
  private static final int BITS = 1 << 24;

  private static final int PROBES = 4;
  private static final int PAGE = 500;
  private static final int MOST_AGENTS = 1000;

  private final Memory memory;
  private final Selection selection;
  private final ExportLines out;
  private final BitSet written = new BitSet();
  private final Set<SessionId> sessions = new HashSet<>();
  private final Set<EventId> evidence = new HashSet<>();
  private final Map<SessionId, Optional<String>> agents = new LinkedHashMap<>();
  private final List<Session> known;
  private boolean unreadableSession;
  private Optional<Span> extent = Optional.empty();

  /// Asks which sessions are selected if the events do not tell.
  ///
  /// @param out is told of sessions that cannot be read
  SelectedEvents(Memory memory, Selection selection, ExportLines out) {
    this.memory = memory;
    this.selection = selection;
    this.out = out;
    switch (selection) {
      case Selection.OfSession(SessionId session) -> sessions.add(session);
      case Selection.OfUser(String user) ->
          Page.stream(
                  PageRequest.of(PAGE),
                  page -> memory.recall().conversations().list(ConversationFilter.ALL, page))
              .filter(conversation -> conversation.user().filter(user::equals).isPresent())
              .map(ConversationView::session)
              .forEach(sessions::add);
      case Selection.Everything _,
          Selection.OfAgent _,
          Selection.OfTopic _,
          Selection.OfTime _ -> {}
    }
    this.known = sessions.stream().sorted().flatMap(id -> session(id).stream()).toList();
  }

  /// A range of time that has all events of the selection.
  ///
  /// @return empty when there are none
  Optional<Range.Bounds> bounds() {
    return switch (selection) {
      case Selection.Everything _, Selection.OfAgent _ -> Optional.of(Range.Bounds.ALL);
      case Selection.OfTime(Range.Bounds bounds) -> Optional.of(bounds);
      case Selection.OfSession _, Selection.OfUser _ ->
          unreadableSession
              ? Optional.of(Range.Bounds.ALL)
              : known.stream()
                  .map(session ->
                      new Range.Bounds(
                          session.first().timestamp(), session.last().timestamp().plusMillis(1)))
                  .reduce(Range.Bounds::with);
      case Selection.OfTopic _ -> Optional.empty();
    };
  }

  /// The sessions of a selection of whole sessions, by id. One without events is left out, and one
  /// that cannot be read.
  List<Session> knownSessions() {
    return known;
  }

  private Optional<Session> session(SessionId id) {
    try {
      return Optional.of(memory.sessions().session(id));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return Optional.empty();
      }
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadableSession = true;
      out.damaged(DamagedRange.row("sessions", id.value(), String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /// Adds an event that supports a memory of the topic.
  void addEvidence(EventId id) {
    evidence.add(id);
  }

  /// The events that support memories of the topic, by id.
  List<EventId> evidence() {
    return evidence.stream().sorted().toList();
  }

  /// Whether an event belongs to the selection.
  boolean wants(Event event) {
    return switch (selection) {
      case Selection.Everything _ -> true;
      case Selection.OfSession _, Selection.OfUser _ -> sessions.contains(event.session());
      case Selection.OfAgent(String agent) ->
          event.agent().or(() -> agentOf(event.session())).filter(agent::equals).isPresent();
      case Selection.OfTopic _ -> evidence.contains(event.id());
      case Selection.OfTime(Range.Bounds bounds) -> bounds.holds(event.timestamp());
    };
  }

  private Optional<String> agentOf(SessionId id) {
    if (agents.size() >= MOST_AGENTS) {
      agents.clear();
    }
    return agents.computeIfAbsent(id, unknown -> session(unknown).flatMap(Session::agent));
  }

  /// Notes an event that was written.
  void add(Event event) {
    Instant time = event.timestamp();
    extent =
        Optional.of(
            extent
                .map(span ->
                    new Span(
                        time.isBefore(span.start()) ? time : span.start(),
                        time.isAfter(span.end()) ? time : span.end()))
                .orElseGet(() -> new Span(time, time)));
    if (selection instanceof Selection.Everything) {
      return;
    }
    sessions.add(event.session());
    long hash = hash(event.id());
    for (int i = 0; i < PROBES; i++) {
      written.set(probe(hash, i));
    }
  }

  /// Whether an event was written.
  boolean contains(EventId id) {
    if (selection instanceof Selection.Everything) {
      return true;
    }
    long hash = hash(id);
    for (int i = 0; i < PROBES; i++) {
      if (!written.get(probe(hash, i))) {
        return false;
      }
    }
    return memory.events().event(id).filter(this::wants).isPresent();
  }

  /// Whether a session belongs to the selection, or an event of it was written.
  boolean hasSession(SessionId id) {
    return switch (selection) {
      case Selection.Everything _ -> true;
      case Selection.OfTopic _ -> false;
      case Selection.OfSession _, Selection.OfUser _, Selection.OfAgent _, Selection.OfTime _ ->
          sessions.contains(id);
    };
  }

  /// Whether a period may have events of the selection.
  boolean meets(Span span) {
    return selection instanceof Selection.Everything
        || extent
            .filter(one -> !span.start().isAfter(one.end()) && !span.end().isBefore(one.start()))
            .isPresent();
  }

  /// Whether a period has no events but those of the selection, whatever is stored.
  boolean covers(Span span) {
    return switch (selection) {
      case Selection.Everything _ -> true;
      case Selection.OfTime(Range.Bounds bounds) ->
          bounds.holds(span.start()) && bounds.holds(span.end());
      case Selection.OfSession _, Selection.OfUser _, Selection.OfAgent _, Selection.OfTopic _ ->
          false;
    };
  }

  private static int probe(long hash, int number) {
    return (int) ((hash >>> 32) + number * hash) & (BITS - 1);
  }

  /// FNV-1a over the characters.
  private static long hash(EventId id) {
    long hash = 0xcbf29ce484222325L;
    String text = id.value();
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
