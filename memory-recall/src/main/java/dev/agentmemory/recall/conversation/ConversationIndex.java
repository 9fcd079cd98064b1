package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.ChannelAlias;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Reads conversations, and what other parts need to know of them. It needs no memories itself, so
/// memories can be built on it.
///
/// Idea: status, times and channel follow from the session and its first events each time. The
/// record of a conversation has only what was set, and its ref code, which is stored when the
/// conversation is shown for the first time.
public final class ConversationIndex {

  /// How long memories of scope conversation outlast the moment in which it became idle.
  public static final Duration MEMORIES_AFTER_IDLE = Duration.ofHours(24);

  private static final String KIND = "conversation";
  private static final int STEP = 256;

  private final ConversationContext context;
  private final Duration idleAfter;
  private final RefCodes codes;
  private final StartChannels starts;
  private final ChannelRows channels;

  /// @param idleAfter how long a conversation without a SESSION_END has to be silent to become idle
  public ConversationIndex(ConversationContext context, Duration idleAfter) {
    this(context, idleAfter, RefCodes::derived);
  }

  ConversationIndex(ConversationContext context, Duration idleAfter, RefCodes.Choices choices) {
    this.context = context;
    this.idleAfter = idleAfter;
    this.codes = new RefCodes(context, choices);
    this.starts = new StartChannels(context);
    this.channels = new ChannelRows(context);
  }

  /// The overrides of a session; empty if it has none, or if its record cannot be read. Cheap: kept
  /// in memory.
  public Optional<SessionOverrides> overrides(SessionId session) {
    return context
        .caches()
        .overrides
        .get(
            key(session),
            _ ->
                Optional.of(readableRow(session).overrides())
                    .filter(overrides -> !overrides.equals(SessionOverrides.NONE)));
  }

  /// The channel of a session; empty when no event of it is stored. It follows from the events when
  /// the session's record cannot be read.
  public Optional<ChannelName> channel(SessionId session) {
    return context
        .sessions()
        .session(session)
        .map(found -> channel(state(found, readableRow(session))));
  }

  /// The default channel of sessions that start now.
  public ChannelName defaultChannel() {
    return channels.history().presentDefault();
  }

  /// Tells whether a channel is recorded, the default one, or that of a session. For one call and
  /// one thread: each session is read once, and none before it is needed.
  public Predicate<ChannelName> existingChannels() {
    var ofSessions = new ChannelsOfSessions();
    return name ->
        channels.row(name).isPresent() || defaultChannel().equals(name) || ofSessions.test(name);
  }

  /// Reads sessions until one of them is in the channel that is asked for.
  private final class ChannelsOfSessions implements Predicate<ChannelName> {

    private final Set<ChannelName> names = new HashSet<>();
    private Optional<SessionId> last = Optional.empty();
    private boolean complete;

    @Override
    public boolean test(ChannelName name) {
      while (!complete && !names.contains(name)) {
        List<Session> page = context.sessions().sessions(last, STEP);
        page.forEach(
            session -> readable(session).map(found -> channel(found)).ifPresent(names::add));
        last = page.isEmpty() ? last : Optional.of(page.getLast().id());
        complete = page.isEmpty();
      }
      return names.contains(name);
    }
  }

  /// The present name of a channel that a caller names.
  public ChannelName presentName(ChannelName name) {
    return channels.history().resolve(name, context.now());
  }

  /// All names that the channel which a caller names has had, and its present one.
  public Set<ChannelAlias> allNames(ChannelName name) {
    ChannelHistory history = channels.history();
    ChannelName present = history.resolve(name, context.now());
    Set<ChannelAlias> names = new HashSet<>(history.formerNames(present));
    names.add(ChannelAlias.present(present));
    return names;
  }

  /// When the memories of scope conversation end: [#MEMORIES_AFTER_IDLE] after the conversation
  /// became idle.
  ///
  /// @param otherwise when a session without events was used last
  /// @return empty while the conversation is active
  public Optional<Instant> memoriesEnd(SessionId session, Instant otherwise) {
    return context
        .sessions()
        .session(session)
        .map(this::idleSince)
        .orElseGet(() -> past(otherwise.plus(idleAfter)))
        .map(idle -> idle.plus(MEMORIES_AFTER_IDLE));
  }

  /// The sessions whose memories of scope conversation have ended, by id.
  ///
  /// @param after continue after this session; empty to start
  public List<SessionId> due(Optional<SessionId> after, int limit) {
    return sessions(after)
        .filter(session ->
            idleSince(session).flatMap(idle -> past(idle.plus(MEMORIES_AFTER_IDLE))).isPresent())
        .map(Session::id)
        .limit(limit)
        .toList();
  }

  /// When the memories of a session were last compacted; empty if never.
  Optional<Instant> lastCompaction(SessionId session) {
    return row(session).lastCompaction();
  }

  /// Records that the memories of a session were compacted. A record that cannot be read stays as
  /// it is: the compaction itself is done, and what follows it must not fail.
  public void recordCompaction(SessionId session) {
    try (var _ = context.mutex().hold()) {
      update(session, row -> row.withLastCompaction(context.now()));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
    }
  }

  /// A conversation at the time of a call.
  ///
  /// @param ended when it became idle; empty while it is active
  record Found(
      Session session, ConversationRow row, ConversationStatus status, Optional<Instant> ended) {}

  /// @return empty when no event of it is stored
  Optional<Found> find(SessionId session) {
    return context.sessions().session(session).map(found -> state(found, row(session)));
  }

  /// @return empty when there is none
  Optional<Found> find(RefCode code) {
    Optional<SessionId> stored = context.owner().all() ? Optional.empty() : codes.session(code);
    return stored
        .flatMap(this::find)
        // A code may come from another copy of the log, in which it was given out before.
        .or(() -> states(Optional.empty()).filter(state -> code(state).equals(code)).findFirst());
  }

  /// The session that a ref code was given to, whether or not it has events.
  Optional<SessionId> session(RefCode code) {
    return find(code)
        .map(state -> state.session().id())
        .or(() -> context.owner().all() ? Optional.empty() : codes.session(code));
  }

  private RefCode code(Found state) {
    return state.row().refCode().orElseGet(() -> codes.first(state.session().id()));
  }

  /// Conversations by session id.
  ///
  /// @param after continue after this session; empty to start
  /// @param wanted which ones
  List<Found> list(Optional<SessionId> after, Predicate<Found> wanted, int limit) {
    return states(after).filter(wanted).limit(limit).toList();
  }

  /// All conversations. Those whose record cannot be read are left out.
  private Stream<Found> states(Optional<SessionId> after) {
    return sessions(after).flatMap(session -> readable(session).stream());
  }

  private Optional<Found> readable(Session session) {
    try {
      return Optional.of(state(session, row(session.id())));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private Stream<Session> sessions(Optional<SessionId> after) {
    return Stream.iterate(
            context.sessions().sessions(after, STEP),
            page -> !page.isEmpty(),
            page -> context.sessions().sessions(Optional.of(page.getLast().id()), STEP))
        .flatMap(List::stream);
  }

  /// The channels that sessions are in, with the start of the earliest session.
  Map<ChannelRows.Place, Instant> channelsInUse() {
    var earliest = new HashMap<ChannelRows.Place, Instant>();
    states(Optional.empty())
        .forEach(state -> {
          var place =
              new ChannelRows.Place(channel(state), context.owner().prefixOf(state.session().id()));
          Instant start = state.session().first().timestamp();
          earliest.merge(place, start, (one, other) -> one.isBefore(other) ? one : other);
        });
    return earliest;
  }

  ChannelName channel(Found state) {
    Session session = state.session();
    ChannelHistory history = channels.history(context.owner().prefixOf(session.id()));
    Optional<ConversationRow.ChosenChannel> chosen = state.row().channel();
    if (chosen.isPresent()) {
      return history.resolve(chosen.get().name(), chosen.get().since());
    }
    Instant start = session.first().timestamp();
    return starts
        .named(key(session.id()), session)
        .map(name -> history.resolve(name, start))
        .orElseGet(() -> history.defaultAt(start));
  }

  private Found state(Session session, ConversationRow row) {
    Optional<Instant> idle = idleSince(session);
    boolean archived = row.archived().filter(archiving -> archiving.holds(session)).isPresent();
    ConversationStatus status =
        archived
            ? ConversationStatus.ARCHIVED
            : idle.isPresent() ? ConversationStatus.IDLE : ConversationStatus.ACTIVE;
    return new Found(session, row, status, idle);
  }

  /// When a session became idle; empty while it is active. An end holds at once, also if the clock
  /// of its agent is ahead.
  private Optional<Instant> idleSince(Session session) {
    Instant last = session.last().timestamp();
    return session.ended() ? Optional.of(last) : past(last.plus(idleAfter));
  }

  /// A time, unless it is still to come.
  private Optional<Instant> past(Instant time) {
    return Optional.of(time).filter(one -> !one.isAfter(context.now()));
  }

  /// Conversations as callers see them. Gives ref codes to those that have none.
  List<ConversationView> views(List<Found> states) {
    Map<SessionId, RefCode> given =
        context.owner().all()
                || states.stream().allMatch(state -> state.row().refCode().isPresent())
            ? Map.of()
            : giveCodes(states.stream().map(state -> state.session().id()).toList());
    return states.stream()
        .map(state -> view(state, Optional.ofNullable(given.get(state.session().id()))))
        .toList();
  }

  ConversationView view(Found state) {
    return views(List.of(state)).getFirst();
  }

  private ConversationView view(Found state, Optional<RefCode> given) {
    Session session = state.session();
    ConversationRow row = state.row();
    return new ConversationView(
        session.id(),
        given.orElseGet(() -> code(state)),
        channel(state),
        state.status(),
        session.first().timestamp(),
        state.ended(),
        session.agent(),
        row.user(),
        row.preferences(),
        row.overrides());
  }

  /// One commit for all of them.
  private Map<SessionId, RefCode> giveCodes(List<SessionId> sessions) {
    try (var _ = context.mutex().hold()) {
      var bySession = new HashMap<SessionId, RefCode>();
      var byCode = new HashMap<RefCode, SessionId>();
      var changes = new ArrayList<Change>();
      for (SessionId session : sessions) {
        ConversationRow row = row(session);
        RefCode code = row.refCode().orElseGet(() -> codes.free(session, byCode));
        bySession.put(session, code);
        if (row.refCode().isEmpty()) {
          byCode.put(code, session);
          changes.add(put(session, row.withRefCode(code)));
          changes.add(codes.put(code, session));
        }
      }
      if (!changes.isEmpty()) {
        context.complete(() -> context.commit(changes));
      }
      return bySession;
    }
  }

  /// Passes on all conversations by session id: those that have events, and those of an import
  /// whose events are not stored.
  ///
  /// @param unreadable receives those whose record cannot be read
  void forEach(Consumer<ConversationView> each, Consumer<SessionId> unreadable) {
    Iterator<ConversationView> imported = imported(unreadable).iterator();
    Optional<ConversationView> next = next(imported);
    List<Session> page = context.sessions().sessions(Optional.empty(), STEP);
    while (!page.isEmpty()) {
      for (ConversationView view : views(readable(page, unreadable))) {
        while (next.isPresent() && isBefore(next.get(), view)) {
          each.accept(next.get());
          next = next(imported);
        }
        each.accept(view);
      }
      page = context.sessions().sessions(Optional.of(page.getLast().id()), STEP);
    }
    while (next.isPresent()) {
      each.accept(next.get());
      next = next(imported);
    }
  }

  /// A conversation that has events, or comes from an import.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  Optional<ConversationView> exported(SessionId session) {
    return find(session)
        .map(this::view)
        .or(() -> row(session).imported().map(state -> imported(session, row(session), state)));
  }

  /// A session without events as callers see it. Gives it a ref code if it has none.
  ///
  /// @param first when something of it was stored first
  /// @param last when it was used last
  ConversationView withoutEvents(SessionId session, Instant first, Instant last) {
    if (!context.owner().all()) {
      var _ = giveCodes(List.of(session));
    }
    Optional<Instant> idle = past(last.plus(idleAfter));
    var state =
        new ConversationRow.Imported(
            idle.isPresent() ? ConversationStatus.IDLE : ConversationStatus.ACTIVE,
            first,
            idle,
            /* agent= */ Optional.empty());
    return imported(session, row(session), state);
  }

  private List<Found> readable(List<Session> sessions, Consumer<SessionId> unreadable) {
    List<Found> found = new ArrayList<>();
    for (Session session : sessions) {
      readable(session).ifPresentOrElse(found::add, () -> unreadable.accept(session.id()));
    }
    return found;
  }

  private static Optional<ConversationView> next(Iterator<ConversationView> views) {
    return views.hasNext() ? Optional.of(views.next()) : Optional.empty();
  }

  /// In the order of stores, which is that of the bytes of UTF-8.
  private static boolean isBefore(ConversationView one, ConversationView other) {
    return Arrays.compareUnsigned(bytes(one), bytes(other)) < 0;
  }

  private static byte[] bytes(ConversationView view) {
    return view.session().value().getBytes(StandardCharsets.UTF_8);
  }

  private Stream<ConversationView> imported(Consumer<SessionId> unreadable) {
    String prefix = context.owner().key(KIND, "");
    return Stream.iterate(
            context.records().records(prefix, Optional.empty(), STEP),
            page -> !page.isEmpty(),
            page -> context.records().records(prefix, Optional.of(page.getLast().key()), STEP))
        .flatMap(List::stream)
        .map(record -> new SessionId(record.key().substring(prefix.length())))
        .filter(session -> context.sessions().session(session).isEmpty())
        .flatMap(session -> imported(session, unreadable).stream());
  }

  private Optional<ConversationView> imported(SessionId session, Consumer<SessionId> unreadable) {
    try {
      ConversationRow row = row(session);
      return row.imported().map(state -> imported(session, row, state));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.accept(session);
      return Optional.empty();
    }
  }

  private ConversationView imported(
      SessionId session, ConversationRow row, ConversationRow.Imported state) {
    ChannelHistory history = channels.history(context.owner().prefixOf(session));
    return new ConversationView(
        session,
        row.refCode().orElseGet(() -> codes.first(session)),
        row.channel()
            .map(chosen -> history.resolve(chosen.name(), chosen.since()))
            .orElseGet(() -> history.defaultAt(state.started())),
        state.status(),
        state.started(),
        state.ended(),
        state.agent(),
        row.user(),
        row.preferences(),
        row.overrides());
  }

  /// Changes the record of a conversation, and gives it a ref code if it has none. To be called
  /// while the workspace's mutex is held.
  ///
  /// @return whether something changed
  boolean update(SessionId session, UnaryOperator<ConversationRow> change) {
    ConversationRow row = row(session);
    ConversationRow changed = change.apply(row);
    if (changed.equals(row)) {
      return false;
    }
    var changes = new ArrayList<Change>();
    if (changed.refCode().isEmpty()) {
      changed = changed.withRefCode(codes.free(session, Map.of()));
    }
    if (!changed.refCode().equals(row.refCode())) {
      changes.add(codes.put(changed.refCode().orElseThrow(), session));
    }
    changes.add(put(session, changed));
    context.commit(changes);
    context.caches().overrides.remove(key(session));
    return true;
  }

  /// Whether a code is free, or that of the session.
  boolean mayHave(SessionId session, RefCode code) {
    return codes.session(code).map(session::equals).orElse(true);
  }

  /// The record of a session; an empty one when it cannot be read. Not for what writes the record.
  private ConversationRow readableRow(SessionId session) {
    try {
      return row(session);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return ConversationRow.EMPTY;
    }
  }

  /// @throws MemoryException `CORRUPT_RECORD`, which is noted, so that status can say so
  private ConversationRow row(SessionId session) {
    String key = key(session);
    try {
      return context
          .records()
          .record(key)
          .map(value -> JsonRow.read(key, value, ConversationRow::of))
          .orElse(ConversationRow.EMPTY);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      context.caches().unreadable.add(key, e);
      throw e;
    }
  }

  private Change put(SessionId session, ConversationRow row) {
    return new Change.PutRecord(new StoredRecord(key(session), row.json()));
  }

  private String key(SessionId session) {
    return context.owner().key(KIND, session.value());
  }
}
