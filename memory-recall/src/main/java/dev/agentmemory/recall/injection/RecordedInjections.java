package dev.agentmemory.recall.injection;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.Injections;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What sessions were told, in rows of the workspace's store.
///
/// The text is kept as it was given, but for what it says of memories of the account, which stay in
/// the store of the account: of these the citation is kept alone. A text is shown as long as what
/// it cites is stored; an erasure takes it out of the row.
public final class RecordedInjections implements Injections {

  private static final Logger LOG = LoggerFactory.getLogger(RecordedInjections.class);

  private static final int BY_DEFAULT = 20;
  private static final int MOST = 100;
  private static final int STEP = 64;

  private final ConversationContext context;
  private final StoreReader visible;
  private final CitedMemories memories;
  private final TextMask mask;
  private final ToIntFunction<String> tokens;

  /// @param visible what answers may have of the store, as the owner sees it
  /// @param tokens counts the tokens of a text
  public RecordedInjections(
      ConversationContext context,
      StoreReader visible,
      CitedMemories memories,
      TextMask mask,
      ToIntFunction<String> tokens) {
    this.context = context;
    this.visible = visible;
    this.memories = memories;
    this.mask = mask;
    this.tokens = tokens;
  }

  /// The memories that texts cite.
  ///
  /// @param exists whether there is such a memory, of the workspace or of the account
  /// @param ofAccount whether there is one of the account
  public record CitedMemories(Predicate<MemoryId> exists, Predicate<MemoryId> ofAccount) {}

  @Override
  public Injection record(NewInjection told) {
    context.owner().checkWritable();
    Instant now = Instant.ofEpochMilli(context.system().clock().millis());
    String text = mask.apply(told.text());
    Injection injection =
        shown(
            new Injection(
                newId(now),
                told.session(),
                now,
                told.moment(),
                told.source(),
                tokens.applyAsInt(told.text()),
                Optional.of(withoutAccount(told.source(), text)),
                CitedIds.of(text)));
    String prefix = prefix(told.session());
    try (var _ = context.mutex().hold()) {
      List<Change> changes = new ArrayList<>();
      changes.add(new Change.PutRecord(InjectionRow.of(prefix, injection), /* isNew= */ true));
      surplus(prefix).forEach(key -> changes.add(new Change.DropRecord(key)));
      var _ = context.store().commit(Commit.of(changes));
    }
    return injection;
  }

  private String newId(Instant now) {
    byte[] random = new byte[Ulid.RANDOM_BYTES];
    context.system().random().nextBytes(random);
    return new Ulid(now.toEpochMilli(), random).toString();
  }

  private String prefix(SessionId session) {
    return InjectionRow.prefix(context.owner().prefix(), session);
  }

  /// The oldest rows that are too many once another one is there.
  private List<String> surplus(String prefix) {
    List<String> keys = new ArrayList<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = context.store().records().records(prefix, after, STEP);
      page.forEach(row -> keys.add(row.key()));
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == STEP);
    return keys.subList(0, Math.max(0, keys.size() + 1 - MOST_OF_A_SESSION));
  }

  /// A memory is a line of an orientation, and a paragraph of evidence.
  private String withoutAccount(InjectionSource source, String text) {
    String between = source == InjectionSource.ORIENTATION ? "\n" : "\n\n";
    return Arrays.stream(text.split(between, -1))
        .map(this::withoutAccount)
        .collect(Collectors.joining(between));
  }

  private String withoutAccount(String part) {
    List<String> citations = CitedIds.of(part);
    boolean meant =
        citations.stream()
            .flatMap(citation -> CitedIds.memory(citation).stream())
            .anyMatch(memories.ofAccount());
    return meant
        ? citations.stream().map(id -> '[' + id + ']').collect(Collectors.joining(" "))
        : part;
  }

  @Override
  public Page<UsedInjection> list(SessionId session, PageRequest page) {
    String prefix = prefix(session);
    Optional<String> after = page.place(token -> InjectionPlace.key(prefix, token));
    int limit = page.limit(BY_DEFAULT, MOST);
    List<StoredRecord> rows = context.store().records().records(prefix, after, limit + 1);
    Page<StoredRecord> read =
        Page.of(rows, limit, last -> InjectionPlace.token(prefix, last.key()));
    List<Injection> told =
        read.items().stream()
            .flatMap(row -> readable(session, row).stream())
            .map(this::shown)
            .toList();
    return new Page<>(new UseSearch(visible, told).run(session), read.token());
  }

  private static Optional<Injection> readable(SessionId session, StoredRecord row) {
    try {
      return Optional.of(InjectionRow.read(session, row));
    } catch (MemoryException e) {
      LOG.error("the row {} is left out: {}", row.key().replace('\0', ' '), e.getMessage());
      return Optional.empty();
    }
  }

  /// Without its text when something that it cites is not stored any more. An erasure that is going
  /// on may not have come to the row.
  private Injection shown(Injection injection) {
    boolean whole = injection.citations().stream().allMatch(this::isStored);
    return whole ? injection : injection.withoutText();
  }

  private boolean isStored(String citation) {
    return CitedIds.event(citation)
        .map(id -> visible.events().event(id).isPresent())
        .or(() -> CitedIds.memory(citation).map(memories.exists()::test))
        .or(() -> CitedIds.grip(citation).map(id -> visible.grips().grip(id).isPresent()))
        .or(() ->
            CitedIds.node(citation)
                .map(id -> visible.toc().node(id).map(RecordedInjections::hasWords).orElse(true)))
        .orElse(true);
  }

  /// A node that rests on erased events has none until it is summarised again.
  private static boolean hasWords(TocNode node) {
    return !node.bullets().isEmpty() || !node.keywords().isEmpty() || node.summary().isPresent();
  }
}
