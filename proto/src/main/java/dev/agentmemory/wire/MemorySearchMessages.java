package dev.agentmemory.wire;

import static dev.agentmemory.wire.FieldNames.present;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryFilter.Neighbourhood;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.DeleteMemoriesResponse;
import dev.agentmemory.proto.FoundMemory;
import dev.agentmemory.proto.GetMemoryStatsResponse;
import dev.agentmemory.proto.KindCount;
import dev.agentmemory.proto.LifetimeCount;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.MemoryViewer;
import dev.agentmemory.proto.RelevanceFactors;
import dev.agentmemory.proto.ScopeCount;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.SearchMemoriesResponse;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.wire.WireEnums.Pair;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Maps filters, searches and deletions of memories, and their results.
public final class MemorySearchMessages {

  private MemorySearchMessages() {}

  static dev.agentmemory.proto.MemoryFilter toWire(MemoryFilter filter) {
    var message =
        dev.agentmemory.proto.MemoryFilter.newBuilder()
            .addAllScopes(toWire(WireEnums.SCOPE, filter.scopes()))
            .addAllKinds(toWire(WireEnums.MEMORY_KIND, filter.kinds()))
            .addAllLifetimes(toWire(WireEnums.LIFETIME, filter.lifetimes()))
            .addAllSources(new TreeSet<>(filter.sources()))
            .addAllTags(MemoryMessages.tagsToWire(filter.tags().include()))
            .setAllTags(filter.tags().all())
            .addAllWithoutTags(MemoryMessages.tagsToWire(filter.tags().exclude()))
            .setMinImportance(filter.minImportance())
            .setPinned(filter.pinned())
            .setSuperseded(filter.superseded());
    filter.session().ifPresent(session -> message.setSessionId(session.value()));
    filter.channel().ifPresent(channel -> message.setChannel(channel.value()));
    filter.after().ifPresent(time -> message.setAfterMs(time.toEpochMilli()));
    filter.before().ifPresent(time -> message.setBeforeMs(time.toEpochMilli()));
    filter
        .near()
        .ifPresent(near ->
            message
                .addAllReferences(near.roots().stream().sorted().map(MemoryId::value).toList())
                .setMaxDepth(near.depth()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `filter.<field>`
  static MemoryFilter fromWire(dev.agentmemory.proto.MemoryFilter message) {
    return FieldNames.within("filter.", () -> filter(message));
  }

  private static MemoryFilter filter(dev.agentmemory.proto.MemoryFilter message) {
    MemoryFilter.Builder filter =
        MemoryFilter.builder()
            .scopes(fromWire("scopes", WireEnums.SCOPE, message.getScopesList()))
            .kinds(fromWire("kinds", WireEnums.MEMORY_KIND, message.getKindsList()))
            .lifetimes(fromWire("lifetimes", WireEnums.LIFETIME, message.getLifetimesList()))
            .sources(Set.copyOf(message.getSourcesList()))
            .tags(
                new TagFilter(
                    MemoryMessages.tags("tags", message.getTagsList()),
                    message.getAllTags(),
                    MemoryMessages.tags("without_tags", message.getWithoutTagsList())))
            .minImportance(message.getMinImportance())
            .pinned(message.getPinned())
            .superseded(message.getSuperseded());
    present(message.hasSessionId(), () -> MemoryMessages.session(message.getSessionId()))
        .ifPresent(filter::session);
    present(message.hasChannel(), () -> ChannelName.parse("channel", message.getChannel()))
        .ifPresent(filter::channel);
    present(message.hasAfterMs(), () -> FieldNames.time("after_ms", message.getAfterMs()))
        .ifPresent(filter::after);
    present(message.hasBeforeMs(), () -> FieldNames.time("before_ms", message.getBeforeMs()))
        .ifPresent(filter::before);
    near(message).ifPresent(filter::near);
    return filter.build();
  }

  private static Optional<Neighbourhood> near(dev.agentmemory.proto.MemoryFilter message) {
    int depth = message.getMaxDepth();
    if (message.getReferencesCount() == 0) {
      if (depth != 0) {
        throw MemoryException.invalid(
            "max_depth", "is " + depth + " without references; name the memories to begin with");
      }
      return Optional.empty();
    }
    return Optional.of(
        new Neighbourhood(
            Set.copyOf(MemoryMessages.ids("references", message.getReferencesList())),
            depth == 0 ? 1 : depth));
  }

  private static <E extends Enum<E>, W extends Enum<W>> List<W> toWire(
      Pair<E, W> pair, Set<E> values) {
    return new TreeSet<>(values).stream().map(pair::toWire).toList();
  }

  /// Unspecified values are ignored.
  private static <E extends Enum<E>, W extends Enum<W>> Set<E> fromWire(
      String field, Pair<E, W> pair, Collection<W> values) {
    Set<E> known = new LinkedHashSet<>();
    values.forEach(value -> pair.fromWire(field, value).ifPresent(known::add));
    return known;
  }

  public static ListMemoriesRequest toWire(MemoryFilter filter, PageRequest page) {
    return ListMemoriesRequest.newBuilder()
        .setFilter(toWire(filter))
        .setLimit(page.limit())
        .setContinuationToken(page.token())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryFilter fromWire(ListMemoriesRequest message) {
    return fromWire(message.getFilter());
  }

  public static ListMemoriesResponse toWire(MemoryPage page) {
    var message =
        ListMemoriesResponse.newBuilder()
            .addAllMemories(MemoryMessages.memoriesToWire(page.page().items()))
            .setSkipped(page.skipped());
    page.page().next().ifPresent(message::setContinuationToken);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static MemoryPage fromWire(ListMemoriesResponse message) {
    return new MemoryPage(
        new Page<>(
            MemoryMessages.memories(message.getMemoriesList()), message.getContinuationToken()),
        message.getSkipped());
  }

  public static SearchMemoriesRequest toWire(MemorySearch search) {
    var message =
        SearchMemoriesRequest.newBuilder()
            .setQuery(search.query())
            .setFilter(toWire(search.filter()))
            .setViewer(toWire(search.viewer()))
            .setOrder(WireEnums.ORDER.toWire(search.order()))
            .setLimit(search.limit())
            .setExplain(search.explain());
    search.asOf().ifPresent(time -> message.setAsOfMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemorySearch fromWire(SearchMemoriesRequest message) {
    return new MemorySearch(
        message.getQuery(),
        fromWire(message.getFilter()),
        FieldNames.within("viewer.", () -> viewer(message.getViewer())),
        WireEnums.ORDER.required("order", message.getOrder()),
        present(message.hasAsOfMs(), () -> FieldNames.time("as_of_ms", message.getAsOfMs())),
        message.getLimit() <= 0 ? MemorySearch.DEFAULT_LIMIT : message.getLimit(),
        message.getExplain());
  }

  static MemoryViewer toWire(MemorySearch.Viewer viewer) {
    var message = MemoryViewer.newBuilder();
    viewer.session().ifPresent(session -> message.setSessionId(session.value()));
    viewer.channel().ifPresent(channel -> message.setChannel(channel.value()));
    return message.build();
  }

  static MemorySearch.Viewer viewer(MemoryViewer message) {
    return new MemorySearch.Viewer(
        present(message.hasSessionId(), () -> MemoryMessages.session(message.getSessionId())),
        present(message.hasChannel(), () -> ChannelName.parse("channel", message.getChannel())));
  }

  public static SearchMemoriesResponse toWire(MemoryAnswer answer) {
    return SearchMemoriesResponse.newBuilder()
        .addAllMemories(answer.hits().stream().map(MemorySearchMessages::toWire).toList())
        .setTextOnly(answer.textOnly())
        .setSkipped(answer.skipped())
        .setOmitted(answer.omitted())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryAnswer fromWire(SearchMemoriesResponse message) {
    return new MemoryAnswer(
        message.getMemoriesList().stream().map(MemorySearchMessages::fromWire).toList(),
        message.getTextOnly(),
        message.getSkipped(),
        message.getOmitted());
  }

  public static FoundMemory toWire(MemoryHit hit) {
    return FoundMemory.newBuilder()
        .setMemory(MemoryMessages.toWire(hit.memory()))
        .setRelevance(hit.relevance())
        .setWhy(toWire(hit.why()))
        .addAllReplaced(MemoryMessages.toWire(hit.replaced()))
        .addAllDuplicates(MemoryMessages.toWire(hit.duplicates()))
        .build();
  }

  private static MemoryHit fromWire(FoundMemory message) {
    return new MemoryHit(
        MemoryMessages.fromWire(message.getMemory()),
        message.getRelevance(),
        fromWire(message.getWhy()),
        MemoryMessages.ids("replaced", message.getReplacedList()),
        MemoryMessages.ids("duplicates", message.getDuplicatesList()));
  }

  /// The factors of a relevance.
  public static RelevanceFactors toWire(MemoryHit.Why why) {
    return RelevanceFactors.newBuilder()
        .setMatch(why.match())
        .setImportance(why.importance())
        .setDecay(why.decay())
        .setFrequency(why.frequency())
        .setRecency(why.recency())
        .setScope(WireEnums.SCOPE.toWire(why.scope()))
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryHit.Why fromWire(RelevanceFactors why) {
    return new MemoryHit.Why(
        why.getMatch(),
        why.getImportance(),
        why.getDecay(),
        why.getFrequency(),
        why.getRecency(),
        WireEnums.SCOPE.required("why.scope", why.getScope()));
  }

  public static DeleteMemoriesRequest toWire(Deletion deletion, boolean preview) {
    var message =
        DeleteMemoriesRequest.newBuilder()
            .addAllMemoryIds(deletion.ids().stream().sorted().map(MemoryId::value).toList())
            .setReason(deletion.reason())
            .setPreview(preview);
    deletion.topic().ifPresent(topic -> message.setTopic(topic.value()));
    deletion.session().ifPresent(session -> message.setSessionId(session.value()));
    deletion.after().ifPresent(time -> message.setAfterMs(time.toEpochMilli()));
    deletion.before().ifPresent(time -> message.setBeforeMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static Deletion fromWire(DeleteMemoriesRequest message) {
    return FieldNames.within("", () -> deletion(message));
  }

  private static Deletion deletion(DeleteMemoriesRequest message) {
    return new Deletion(
        Set.copyOf(MemoryMessages.ids("memory_ids", message.getMemoryIdsList())),
        present(message.hasTopic(), () -> Tag.parse("topic", message.getTopic())),
        present(message.hasSessionId(), () -> MemoryMessages.session(message.getSessionId())),
        time("after_ms", message.hasAfterMs(), message.getAfterMs()),
        time("before_ms", message.hasBeforeMs(), message.getBeforeMs()),
        message.getReason());
  }

  private static Optional<Instant> time(String field, boolean present, long millis) {
    return present(present, () -> FieldNames.time(field, millis));
  }

  public static DeleteMemoriesResponse toWire(DeletionReport report) {
    return DeleteMemoriesResponse.newBuilder()
        .setCount(report.count())
        .addAllFirst(MemoryMessages.memoriesToWire(report.first()))
        .setSkipped(report.skipped())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static DeletionReport fromWire(DeleteMemoriesResponse message) {
    return new DeletionReport(
        message.getCount(), MemoryMessages.memories(message.getFirstList()), message.getSkipped());
  }

  public static GetMemoryStatsResponse toWire(MemoryStats stats) {
    var message =
        GetMemoryStatsResponse.newBuilder()
            .setPinned(stats.pinned())
            .setSuperseded(stats.superseded())
            .setWithoutVector(stats.withoutVector())
            .setBytes(stats.bytes())
            .setCorrupt(stats.corrupt());
    new TreeMap<>(stats.scopes())
        .forEach((scope, count) ->
            message.addScopes(
                ScopeCount.newBuilder().setScope(WireEnums.SCOPE.toWire(scope)).setCount(count)));
    new TreeMap<>(stats.lifetimes())
        .forEach((lifetime, count) ->
            message.addLifetimes(
                LifetimeCount.newBuilder()
                    .setLifetime(WireEnums.LIFETIME.toWire(lifetime))
                    .setCount(count)));
    return message.addAllKinds(kindsToWire(stats.kinds())).build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryStats fromWire(GetMemoryStatsResponse message) {
    Map<MemoryScope, Long> scopes = new HashMap<>();
    message
        .getScopesList()
        .forEach(
            one -> scopes.put(WireEnums.SCOPE.required("scope", one.getScope()), one.getCount()));
    Map<MemoryLifetime, Long> lifetimes = new HashMap<>();
    message
        .getLifetimesList()
        .forEach(one ->
            lifetimes.put(
                WireEnums.LIFETIME.required("lifetime", one.getLifetime()), one.getCount()));
    return new MemoryStats(
        scopes,
        kinds(message.getKindsList()),
        lifetimes,
        message.getPinned(),
        message.getSuperseded(),
        message.getWithoutVector(),
        message.getBytes(),
        message.getCorrupt());
  }

  static List<KindCount> kindsToWire(Map<MemoryKind, Long> kinds) {
    return new TreeMap<>(kinds)
        .entrySet().stream()
            .map(one ->
                KindCount.newBuilder()
                    .setKind(WireEnums.MEMORY_KIND.toWire(one.getKey()))
                    .setCount(one.getValue())
                    .build())
            .toList();
  }

  static Map<MemoryKind, Long> kinds(List<KindCount> messages) {
    Map<MemoryKind, Long> kinds = new HashMap<>();
    messages.forEach(
        one -> kinds.put(WireEnums.MEMORY_KIND.required("kind", one.getKind()), one.getCount()));
    return kinds;
  }
}
