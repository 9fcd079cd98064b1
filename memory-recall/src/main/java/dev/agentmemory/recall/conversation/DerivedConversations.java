package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.conversation.ConversationIndex.Found;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Conversations as they follow from the event log and their records.
///
/// ```
///            SESSION_END, or silence            archive
/// ACTIVE ------------------------------> IDLE ----------> ARCHIVED
///    ^ |                                  |                 | ^
///    | +--------- archive with force -----|-----------------|-+
///    +------------- a new event ----------+-----------------+
/// ```
public final class DerivedConversations implements Conversations {

  private static final int BY_DEFAULT = 20;
  private static final int MOST = 1000;

  private final ConversationContext context;
  private final ConversationIndex index;
  private final ConversationPorts ports;
  private final RecordedChannels channels;
  private final ScratchpadRows pads;
  private final RecordedScratchpads scratchpads;
  private final SessionEvents events;

  public DerivedConversations(
      ConversationContext context,
      ConversationIndex index,
      ScratchpadRows pads,
      RecordedChannels channels,
      ConversationPorts ports) {
    this.context = context;
    this.index = index;
    this.ports = ports;
    this.channels = channels;
    this.pads = pads;
    this.scratchpads = new RecordedScratchpads(context, pads, ports);
    this.events = new SessionEvents(context, ports.ingest());
  }

  @Override
  public ConversationView start(ConversationStart start) {
    context.owner().checkWritable();
    SessionId session = start.session();
    // Ids that contain a workspace are returned to callers but not accepted from them.
    var _ = SessionId.parse("session_id", session.value());
    Optional<ConversationChange> change = start.user().map(ConversationChange::ofUser);
    try (var _ = context.mutex().hold()) {
      Optional<Found> before = index.find(session);
      boolean active =
          before.filter(state -> state.status() == ConversationStatus.ACTIVE).isPresent();
      if (!active) {
        events.start(
            session,
            before.map(Found::session),
            before.isPresent() ? Optional.empty() : start.channel());
      }
      change.ifPresent(one -> update(session, one));
      return view(session);
    }
  }

  @Override
  public ConversationView idle(ConversationRef conversation) {
    context.owner().checkWritable();
    try (var _ = context.mutex().hold()) {
      Found state = demand(conversation);
      switch (state.status()) {
        case ACTIVE -> events.end(state.session());
        case IDLE -> {}
        case ARCHIVED -> throw illegal(state, ConversationStatus.IDLE, "start it first");
      }
      return view(state.session().id());
    }
  }

  @Override
  public ConversationView archive(ConversationRef conversation, boolean force) {
    context.owner().checkWritable();
    try (var _ = context.mutex().hold()) {
      Found state = demand(conversation);
      Optional<Session> idle =
          switch (state.status()) {
            case ACTIVE -> ended(state, force);
            case IDLE -> Optional.of(state.session());
            case ARCHIVED ->
                throw illegal(state, ConversationStatus.ARCHIVED, "it needs no further step");
          };
      idle.map(session -> ConversationRow.Archiving.of(session, context.now()))
          .ifPresent(
              archiving -> index.update(state.session().id(), row -> row.withArchived(archiving)));
      return view(state.session().id());
    }
  }

  /// Ends an active conversation.
  ///
  /// @return empty when another event came meanwhile, so that it is active again
  private Optional<Session> ended(Found active, boolean force) {
    if (!force) {
      throw illegal(
          active, ConversationStatus.ARCHIVED, "make it idle first, or archive it with force");
    }
    events.end(active.session());
    return context.sessions().session(active.session().id()).filter(Session::ended);
  }

  @Override
  public ConversationView conversation(ConversationRef conversation) {
    SessionId session = demandUsed(conversation);
    return viewOfUsed(session, ports.counts().of(session));
  }

  @Override
  public Page<ConversationView> list(ConversationFilter filter, PageRequest page) {
    String scope =
        "conversations "
            + filter.archived()
            + " "
            + filter.channel().map(ChannelName::value).orElse("");
    Optional<SessionId> after = page.place(token -> SessionPageToken.session(scope, token));
    int limit = page.limit(BY_DEFAULT, MOST);
    List<Found> found =
        index.list(
            after,
            state ->
                (filter.archived() || state.status() != ConversationStatus.ARCHIVED)
                    && filter.channel().map(name -> index.channel(state).equals(name)).orElse(true),
            limit + 1);
    Page<Found> shown =
        Page.of(found, limit, state -> SessionPageToken.of(scope, state.session().id()));
    return new Page<>(index.views(shown.items()), shown.token());
  }

  @Override
  public ConversationView change(ConversationRef conversation, ConversationChange change) {
    context.owner().checkWritable();
    try (var _ = context.mutex().hold()) {
      SessionId session = demandUsed(conversation);
      change
          .channel()
          .filter(name -> !channels.exists(name))
          .ifPresent(name -> {
            throw new MemoryException(
                ErrorCode.NOT_FOUND, "there is no channel %s; create it first".formatted(name));
          });
      update(session, change);
      return viewOfUsed(session, ports.counts().of(session));
    }
  }

  /// Sets what an export has of a conversation and this store has not. Its session need not have
  /// events yet. Secrets in it are masked. Restoring twice changes nothing.
  ///
  /// @return whether something was set
  public boolean restore(ConversationView exported) {
    context.owner().checkWritable();
    SessionId session = SessionId.parse("session_id", exported.session().value());
    try (var _ = context.mutex().hold()) {
      return index.update(session, row -> completed(row, exported));
    }
  }

  /// Passes on all conversations by session id, for an export: those that have events here, and
  /// those that were restored without their events.
  ///
  /// @param unreadable receives those whose record cannot be read
  public void forEach(Consumer<ConversationView> each, Consumer<SessionId> unreadable) {
    index.forEach(each, unreadable);
  }

  /// One of those that [#forEach] passes on.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public Optional<ConversationView> exported(SessionId session) {
    return index.exported(session);
  }

  /// The channel of a session; empty when no event of it is stored.
  public Optional<ChannelName> channel(SessionId session) {
    return index.channel(session);
  }

  private ConversationRow completed(ConversationRow row, ConversationView exported) {
    ConversationRow changed = row;
    RefCode code = exported.refCode();
    if (row.refCode().isEmpty() && index.mayHave(exported.session(), code)) {
      changed = changed.withRefCode(code);
    }
    if (row.channel().isEmpty()
        && !index.channel(exported.session()).equals(Optional.of(exported.channel()))) {
      changed = changed.withChannel(exported.channel(), context.now());
    }
    boolean stored = context.sessions().session(exported.session()).isPresent();
    if (!stored && row.imported().isEmpty()) {
      changed = changed.withImported(imported(exported));
    }
    if (row.archived().isEmpty() && exported.status() == ConversationStatus.ARCHIVED) {
      Instant last = exported.endedAt().orElse(exported.startedAt());
      changed = changed.withArchived(ConversationRow.Archiving.until(last, context.now()));
    }
    if (row.user().isEmpty() && exported.user().isPresent()) {
      changed = changed.withUser(user(exported.user().get()));
    }
    if (row.preferences().equals(SessionPreferences.NONE)) {
      changed = changed.withPreferences(ports.masks().mask(exported.preferences()));
    }
    if (row.overrides().equals(SessionOverrides.NONE)) {
      changed = changed.withOverrides(exported.overrides());
    }
    return changed;
  }

  private ConversationRow.Imported imported(ConversationView exported) {
    return new ConversationRow.Imported(
        exported.status(),
        exported.startedAt(),
        exported.endedAt(),
        exported.agent().map(this::user));
  }

  /// Under the mutex.
  private void update(SessionId session, ConversationChange change) {
    Instant now = context.now();
    index.update(
        session,
        row -> {
          ConversationRow changed = row;
          if (change.channel().isPresent()) {
            changed = changed.withChannel(change.channel().get(), now);
          }
          if (change.user().isPresent()) {
            changed = changed.withUser(user(change.user().get()));
          }
          if (change.preferences().isPresent()) {
            changed = changed.withPreferences(ports.masks().mask(change.preferences().get()));
          }
          return change.overrides().map(changed::withOverrides).orElse(changed);
        });
  }

  private String user(String text) {
    return ports.masks().mask(text, ConversationChange.MAX_USER);
  }

  @Override
  public ConversationStats stats(ConversationRef conversation) {
    SessionId session = demandUsed(conversation);
    SessionUsage memories = ports.counts().of(session);
    ScratchpadRows.Size pad = pads.size(session);
    return new ConversationStats(
        viewOfUsed(session, memories),
        memories.kinds(),
        pad.entries(),
        memories.bytes() + pad.bytes(),
        ports.quota().limitBytes(),
        memories.lastAccess(),
        index.lastCompaction(session));
  }

  private ConversationView viewOfUsed(SessionId session, SessionUsage memories) {
    return index.exported(session).orElseGet(() -> withoutEvents(session, memories));
  }

  /// A session that has memories or a scratchpad, but no event. It lasts from the first of them to
  /// the last use.
  private ConversationView withoutEvents(SessionId session, SessionUsage memories) {
    List<ScratchpadEntry> pad = pads.entries(session).toList();
    Optional<Instant> first =
        Stream.concat(memories.firstCreated().stream(), pad.stream().map(ScratchpadEntry::created))
            .min(Comparator.naturalOrder());
    Optional<Instant> last =
        Stream.of(
                memories.lastCreated().stream(),
                memories.lastAccess().stream(),
                pad.stream().map(ScratchpadEntry::updated))
            .flatMap(times -> times)
            .max(Comparator.naturalOrder());
    Instant now = context.now();
    return index.withoutEvents(session, first.orElse(now), last.orElse(now));
  }

  /// A session that has events, memories or a scratchpad, or comes from an import.
  private SessionId demandUsed(ConversationRef conversation) {
    return named(conversation).filter(this::isUsed).orElseThrow(() -> missing(conversation));
  }

  private Optional<SessionId> named(ConversationRef conversation) {
    return switch (conversation) {
      case ConversationRef.OfSession(SessionId session) -> Optional.of(session);
      case ConversationRef.OfCode(RefCode code) -> index.session(code);
    };
  }

  private boolean isUsed(SessionId session) {
    return ports.counts().of(session).count() > 0
        || pads.size(session).entries() > 0
        || index.exported(session).isPresent();
  }

  @Override
  public CompactionReport compact(ConversationRef conversation) {
    context.owner().checkWritable();
    SessionId session = demandUsed(conversation);
    CompactionReport report = ports.compactor().compact(session);
    index.recordCompaction(session);
    return report;
  }

  @Override
  public RecordedScratchpads scratchpads() {
    return scratchpads;
  }

  private ConversationView view(SessionId session) {
    return index.view(demand(ConversationRef.of(session)));
  }

  /// A conversation that has events.
  private Found demand(ConversationRef conversation) {
    return named(conversation)
        .flatMap(index::find)
        .orElseThrow(() ->
            named(conversation).filter(this::isUsed).isPresent()
                ? notStarted(conversation)
                : missing(conversation));
  }

  private static MemoryException missing(ConversationRef conversation) {
    return new MemoryException(
        ErrorCode.NOT_FOUND, "there is no conversation " + name(conversation));
  }

  private static MemoryException notStarted(ConversationRef conversation) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        "no event of conversation %s is stored; start it first".formatted(name(conversation)));
  }

  private static String name(ConversationRef conversation) {
    return switch (conversation) {
      case ConversationRef.OfSession(SessionId session) -> session.value();
      case ConversationRef.OfCode(RefCode code) -> "with the ref code " + code;
    };
  }

  private static MemoryException illegal(Found state, ConversationStatus wanted, String remedy) {
    return new MemoryException(
        ErrorCode.ILLEGAL_TRANSITION,
        "conversation %s cannot go from %s to %s; %s"
            .formatted(state.session().id(), word(state.status()), word(wanted), remedy));
  }

  private static String word(ConversationStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}
