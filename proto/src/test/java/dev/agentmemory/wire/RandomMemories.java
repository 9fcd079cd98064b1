package dev.agentmemory.wire;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Values of curated memories of every shape, drawn from a seed.
record RandomMemories(RandomValues values) {

  private static final String BASE_62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private int under(int end) {
    return values.random().nextInt(end);
  }

  private boolean coin() {
    return values.random().nextBoolean();
  }

  private double share() {
    return values.random().nextDouble();
  }

  private Instant time() {
    return values.time();
  }

  MemoryId id() {
    return new MemoryId(values.id());
  }

  private ChannelName channel() {
    return new ChannelName("channel-" + under(1000));
  }

  private Tag tag() {
    return new Tag("tag_" + under(9) + (coin() ? ".level-" + under(9) : ""));
  }

  private Set<Tag> tags() {
    return Set.copyOf(values.list(3, this::tag));
  }

  private MemoryContent content() {
    return new MemoryContent(
        values.someText(), values.maybe(() -> "{\"why\": \"" + under(9) + "\"}"));
  }

  private MemoryPlace place() {
    return switch (values.one(MemoryScope.class)) {
      case CONVERSATION ->
          new MemoryPlace(
              MemoryScope.CONVERSATION,
              values.maybe(this::channel),
              Optional.of(values.sessionId()));
      case CHANNEL ->
          new MemoryPlace(
              MemoryScope.CHANNEL, Optional.of(channel()), values.maybe(values::sessionId));
      case WORKSPACE ->
          new MemoryPlace(
              MemoryScope.WORKSPACE, values.maybe(this::channel), values.maybe(values::sessionId));
      case ACCOUNT -> MemoryPlace.account();
    };
  }

  private MemoryLifetime lifetime(MemoryPlace place) {
    MemoryLifetime any = values.one(MemoryLifetime.class);
    return any == MemoryLifetime.CONVERSATION && place.scope() != MemoryScope.CONVERSATION
        ? MemoryLifetime.LONG_TERM
        : any;
  }

  private MemoryLinks links(MemoryPlace place) {
    List<MemoryId> references = values.list(3, this::id);
    return place.scope() == MemoryScope.ACCOUNT
        ? MemoryLinks.NONE.withReferences(references)
        : new MemoryLinks(references, values.list(3, values::id), values.list(3, values::gripId));
  }

  MemoryRecord memory() {
    MemoryPlace place = place();
    Instant created = time();
    Validity validity = new Validity(created, time(), time(), Optional.empty(), Optional.empty());
    return new MemoryRecord(
        id(),
        place,
        lifetime(place),
        values.one(MemoryKind.class),
        values.someText(),
        content(),
        share(),
        coin(),
        tags(),
        links(place),
        coin() ? validity : validity.superseded(time(), id()),
        new MemoryUse(values.maybe(this::time), under(1000)),
        values.one(MemoryRecord.EmbeddingState.class),
        "sha256:" + "0123456789abcdef".repeat(4));
  }

  MemoryDraft draft() {
    MemoryPlace place = place();
    return new MemoryDraft(
        values.maybe(this::id),
        place,
        lifetime(place),
        values.one(MemoryKind.class),
        values.maybe(() -> "source " + under(9)),
        content(),
        share(),
        tags(),
        links(place),
        values.maybe(this::time));
  }

  MemoryUpdate update() {
    return new MemoryUpdate(
        values.maybe(this::content),
        values.maybe(this::share),
        values.maybe(() -> values.one(MemoryLifetime.class)),
        values.maybe(() -> values.one(MemoryKind.class)),
        values.maybe(this::tags),
        values.maybe(() -> values.list(3, this::id)));
  }

  MemoryFilter filter() {
    Instant after = time();
    Set<MemoryId> roots = Set.copyOf(values.list(3, this::id));
    return new MemoryFilter(
        Set.copyOf(values.list(3, () -> values.one(MemoryScope.class))),
        Set.copyOf(values.list(3, () -> values.one(MemoryKind.class))),
        Set.copyOf(values.list(3, () -> values.one(MemoryLifetime.class))),
        Set.copyOf(values.list(3, values::someText)),
        values.maybe(values::sessionId),
        values.maybe(this::channel),
        new TagFilter(tags(), coin(), tags()),
        values.maybe(() -> after),
        values.maybe(() -> after.plusMillis(1 + under(1000))),
        share(),
        roots.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new MemoryFilter.Neighbourhood(
                    roots, 1 + under(MemoryFilter.Neighbourhood.MAX_DEPTH))),
        coin(),
        coin());
  }

  private MemorySearch.Viewer viewer() {
    return new MemorySearch.Viewer(values.maybe(values::sessionId), values.maybe(this::channel));
  }

  MemorySearch search() {
    return new MemorySearch(
        values.text(20),
        filter(),
        viewer(),
        values.one(MemorySearch.Order.class),
        values.maybe(this::time),
        1 + under(MemorySearch.MAX_LIMIT),
        coin());
  }

  MemoryAnswer answer() {
    return new MemoryAnswer(values.list(3, this::hit), coin(), under(9), under(9));
  }

  private MemoryHit hit() {
    return new MemoryHit(
        memory(),
        share(),
        new MemoryHit.Why(
            share(), share(), share(), 1 + share(), 1 + share(), values.one(MemoryScope.class)),
        values.list(3, this::id),
        values.list(3, this::id));
  }

  MemoryPage page() {
    return new MemoryPage(new Page<>(values.list(3, this::memory), values.text(3)), under(9));
  }

  MemoryState state() {
    return new MemoryState(memory(), time(), "update");
  }

  RelatedMemory related() {
    return new RelatedMemory(memory(), 1 + under(8));
  }

  Deletion deletion() {
    Instant after = time();
    return new Deletion(
        Set.of(id(), id()),
        values.maybe(this::tag),
        values.maybe(values::sessionId),
        values.maybe(() -> after),
        values.maybe(() -> after.plusMillis(1 + under(1000))),
        values.text(9));
  }

  DeletionReport deletionReport() {
    return new DeletionReport(under(1000), values.list(3, this::memory), under(9));
  }

  private <E extends Enum<E>> Map<E, Long> counts(Class<E> type) {
    Map<E, Long> counts = new HashMap<>();
    values.list(3, () -> counts.put(values.one(type), 1L + under(100)));
    return counts;
  }

  MemoryStats stats() {
    return new MemoryStats(
        counts(MemoryScope.class),
        counts(MemoryKind.class),
        counts(MemoryLifetime.class),
        under(9),
        under(9),
        under(9),
        under(9),
        under(9));
  }

  Channel conversationChannel() {
    return new Channel(
        channel(),
        values.text(20),
        coin(),
        time(),
        values.maybe(() -> new WorkspaceName("workspace-" + under(9))));
  }

  private RefCode refCode() {
    var code = new StringBuilder();
    while (code.length() < RefCode.LENGTH) {
      code.append(BASE_62.charAt(under(BASE_62.length())));
    }
    return new RefCode(code.toString());
  }

  ConversationRef conversationRef() {
    return coin() ? ConversationRef.of(values.sessionId()) : ConversationRef.of(refCode());
  }

  private SessionPreferences preferences() {
    Map<String, String> custom = new HashMap<>();
    values.list(3, () -> custom.put(values.someText(), values.text(9)));
    return new SessionPreferences(
        values.maybe(() -> values.text(9)), values.maybe(() -> values.text(9)), custom);
  }

  private SessionOverrides overrides() {
    return new SessionOverrides(
        values.maybe(this::coin),
        values.maybe(() -> Duration.ofHours(1).plusMillis(under(1 << 30))),
        values.maybe(this::share),
        values.maybe(this::coin),
        values.maybe(() -> 0.5 + share() / 2));
  }

  ConversationView conversation() {
    return new ConversationView(
        values.sessionId(),
        refCode(),
        channel(),
        values.one(ConversationStatus.class),
        time(),
        values.maybe(this::time),
        values.maybe(values::someText),
        values.maybe(values::someText),
        preferences(),
        overrides());
  }

  ConversationChange change() {
    return new ConversationChange(
        values.maybe(this::channel),
        values.maybe(() -> "user " + under(9)),
        values.maybe(this::preferences),
        values.maybe(this::overrides));
  }

  ConversationStats conversationStats() {
    return new ConversationStats(
        conversation(),
        counts(MemoryKind.class),
        under(9),
        under(9),
        under(9),
        values.maybe(this::time),
        values.maybe(this::time));
  }

  CompactionReport compaction() {
    return new CompactionReport(
        under(9), under(9), under(9), under(9), Duration.ofMillis(under(9000)));
  }

  ScratchpadEntry entry() {
    return new ScratchpadEntry(values.someText(), "{\"n\": 1}", time(), time());
  }

  private ConsolidationCounts consolidation() {
    return new ConsolidationCounts(
        under(9), under(9), under(9), under(9), under(9), under(9), under(9));
  }

  ConsolidationEntry run() {
    return new ConsolidationEntry(
        id().value(), "consolidation", time(), consolidation(), values.maybe(this::time));
  }

  ExportRequest exportRequest() {
    return new ExportRequest(
        values.maybe(values::sessionId), values.maybe(() -> values.one(MemoryScope.class)), coin());
  }

  ImportReport importReport() {
    return new ImportReport(under(9), under(9), under(9), values.list(3, values::someText));
  }

  OrientationRequest orientationRequest() {
    return new OrientationRequest(
        values.text(20),
        viewer(),
        values.random().nextInt(OrientationRequest.MIN_BUDGET, OrientationRequest.MAX_BUDGET + 1),
        values.random().nextBoolean());
  }

  OrientationDocument orientation() {
    return new OrientationDocument(
        values.text(20), under(1000), values.list(3, values::someText), coin(), under(9));
  }
}
