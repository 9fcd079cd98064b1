package dev.agentmemory.wire;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.BuildContextResponse;
import dev.agentmemory.proto.SearchFilters;
import dev.agentmemory.proto.SearchResponse;
import dev.agentmemory.proto.SearchStatusResponse;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Maps requests and responses of the search index.
public final class SearchMessages {

  /// Hits of a page when the request has no limit.
  static final int DEFAULT_LIMIT = 10;

  /// Tokens of evidence when the request has no budget.
  static final int DEFAULT_BUDGET = 1500;

  private SearchMessages() {}

  public static dev.agentmemory.proto.SearchRequest toWire(SearchRequest request) {
    return dev.agentmemory.proto.SearchRequest.newBuilder()
        .setQuery(request.query())
        .setMode(WireEnums.MODE.toWire(request.mode()))
        .setFusion(WireEnums.FUSION.toWire(request.fusion()))
        .setFilters(toWire(request.filters()))
        .setLimit(request.limit())
        .setOffset(request.offset())
        .setMinRelevance(request.threshold().hit())
        .setMinBestRelevance(request.threshold().best())
        .setCalibrated(request.threshold().calibrated())
        .setStrictTime(request.strictTime())
        .setExplain(request.explain())
        .setNowMs(request.now().toEpochMilli())
        .build();
  }

  /// @param present the current time, for requests without one
  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static SearchRequest fromWire(
      dev.agentmemory.proto.SearchRequest message, Instant present) {
    return new SearchRequest(
        message.getQuery(),
        WireEnums.MODE.required("mode", message.getMode()),
        WireEnums.FUSION.required("fusion", message.getFusion()),
        fromWire(message.getFilters()),
        limit(message.getLimit()),
        message.getOffset(),
        new RelevanceThreshold(
            message.getMinRelevance(), message.getMinBestRelevance(), message.getCalibrated()),
        message.getStrictTime(),
        message.getExplain(),
        message.hasNowMs() ? time("now_ms", message.getNowMs()) : present);
  }

  public static BuildContextRequest toWire(ContextRequest request) {
    return BuildContextRequest.newBuilder()
        .setQuery(request.query())
        .setFilters(toWire(request.filters()))
        .setTokenBudget(request.budget())
        .setMinRelevance(request.threshold().hit())
        .setMinBestRelevance(request.threshold().best())
        .setCalibrated(request.threshold().calibrated())
        .setNowMs(request.now().toEpochMilli())
        .setPlain(!request.enveloped())
        .build();
  }

  /// @param present the current time, for requests without one
  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ContextRequest fromWire(BuildContextRequest message, Instant present) {
    return new ContextRequest(
        message.getQuery(),
        fromWire(message.getFilters()),
        budget(message.getTokenBudget()),
        new RelevanceThreshold(
            message.getMinRelevance(), message.getMinBestRelevance(), message.getCalibrated()),
        message.hasNowMs() ? time("now_ms", message.getNowMs()) : present,
        !message.getPlain());
  }

  private static SearchFilters toWire(Filters filters) {
    var message = SearchFilters.newBuilder();
    filters.session().ifPresent(session -> message.setSessionId(session.value()));
    filters.notSession().ifPresent(session -> message.setNotSessionId(session.value()));
    filters.agent().ifPresent(message::setAgent);
    filters.role().map(WireEnums.ROLE::toWire).ifPresent(message::setRole);
    filters.after().ifPresent(time -> message.setAfterMs(time.toEpochMilli()));
    filters.before().ifPresent(time -> message.setBeforeMs(time.toEpochMilli()));
    filters.level().map(WireEnums.LEVEL::toWire).ifPresent(message::setLevel);
    new TreeSet<>(filters.kinds()).forEach(kind -> message.addKinds(WireEnums.KIND.toWire(kind)));
    return message.addAllTags(new TreeSet<>(filters.tags())).build();
  }

  private static Filters fromWire(SearchFilters message) {
    return new Filters(
        message.hasSessionId()
            ? Optional.of(SessionId.parseStored("filters.session_id", message.getSessionId()))
            : Optional.empty(),
        message.hasNotSessionId()
            ? Optional.of(
                SessionId.parseStored("filters.not_session_id", message.getNotSessionId()))
            : Optional.empty(),
        message.hasAgent() ? Optional.of(message.getAgent()) : Optional.empty(),
        WireEnums.ROLE.fromWire("filters.role", message.getRole()),
        message.hasAfterMs()
            ? Optional.of(time("filters.after_ms", message.getAfterMs()))
            : Optional.empty(),
        message.hasBeforeMs()
            ? Optional.of(time("filters.before_ms", message.getBeforeMs()))
            : Optional.empty(),
        WireEnums.LEVEL.fromWire("filters.level", message.getLevel()),
        kinds(message),
        Set.copyOf(message.getTagsList()));
  }

  /// Unspecified kinds are ignored.
  private static Set<HitKind> kinds(SearchFilters message) {
    Set<HitKind> kinds = EnumSet.noneOf(HitKind.class);
    message
        .getKindsList()
        .forEach(kind -> WireEnums.KIND.fromWire("filters.kinds", kind).ifPresent(kinds::add));
    return kinds;
  }

  private static int limit(int asked) {
    if (asked > SearchRequest.MAX_LIMIT) {
      throw MemoryException.invalid(
          "limit",
          "is "
              + asked
              + "; expected 1 to "
              + SearchRequest.MAX_LIMIT
              + ", or 0 for "
              + DEFAULT_LIMIT
              + "; use an offset to get more");
    }
    return asked <= 0 ? DEFAULT_LIMIT : asked;
  }

  private static int budget(int asked) {
    if (asked == 0) {
      return DEFAULT_BUDGET;
    }
    if (asked < ContextRequest.LEAST_BUDGET || asked > ContextRequest.MOST_BUDGET) {
      throw MemoryException.invalid(
          "token_budget",
          "is "
              + asked
              + "; expected "
              + ContextRequest.LEAST_BUDGET
              + " to "
              + ContextRequest.MOST_BUDGET
              + ", or 0 for "
              + DEFAULT_BUDGET);
    }
    return asked;
  }

  private static Instant time(String field, long millis) {
    if (millis < 0 || millis > EventKey.LAST_MILLIS) {
      throw MemoryException.invalid(
          field,
          "is " + millis + "; expected milliseconds since 1970, 0 to " + EventKey.LAST_MILLIS);
    }
    return Instant.ofEpochMilli(millis);
  }

  public static SearchResponse toWire(SearchAnswer answer) {
    var message =
        SearchResponse.newBuilder()
            .addAllHits(answer.hits().stream().map(HitMessages::toWire).toList())
            .addAllNear(answer.near().stream().map(HitMessages::toWire).toList())
            .setMore(answer.more())
            .setUsed(WireEnums.MODE.toWire(answer.used()));
    answer.degraded().ifPresent(message::setDegraded);
    answer.nothingBecause().ifPresent(message::setNothingBecause);
    answer
        .time()
        .ifPresent(time ->
            message
                .setTimeFromMs(time.start().toEpochMilli())
                .setTimeToMs(time.end().toEpochMilli()));
    answer.coverage().map(CoverageMessages::toWire).ifPresent(message::setCoverage);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static SearchAnswer fromWire(SearchResponse message) {
    return new SearchAnswer(
        message.getHitsList().stream().map(HitMessages::fromWire).toList(),
        message.getMore(),
        WireEnums.MODE.required("used", message.getUsed()),
        span(message),
        message.hasDegraded() ? Optional.of(message.getDegraded()) : Optional.empty(),
        message.hasNothingBecause() ? Optional.of(message.getNothingBecause()) : Optional.empty(),
        message.getNearList().stream().map(HitMessages::fromWire).toList(),
        message.hasCoverage()
            ? Optional.of(CoverageMessages.fromWire(message.getCoverage()))
            : Optional.empty());
  }

  private static Optional<Span> span(SearchResponse message) {
    if (!message.hasTimeFromMs() || !message.hasTimeToMs()) {
      return Optional.empty();
    }
    if (message.getTimeToMs() < message.getTimeFromMs()) {
      throw MemoryException.invalid("time_to_ms", "is before time_from_ms");
    }
    return Optional.of(
        new Span(
            Instant.ofEpochMilli(message.getTimeFromMs()),
            Instant.ofEpochMilli(message.getTimeToMs())));
  }

  public static BuildContextResponse toWire(Context context) {
    var message =
        BuildContextResponse.newBuilder()
            .setMarkdown(context.markdown())
            .setTokens(context.tokens())
            .addAllEventIds(context.events().stream().map(EventId::value).toList())
            .addAllGripIds(GripMessages.toWire(context.grips()))
            .addAllMemoryIds(context.memories().stream().map(MemoryId::value).toList())
            .setOmitted(context.omitted());
    context.degraded().ifPresent(message::setDegraded);
    context.nothingBecause().ifPresent(message::setNothingBecause);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static Context fromWire(BuildContextResponse message) {
    return new Context(
        message.getMarkdown(),
        message.getTokens(),
        message.getEventIdsList().stream().map(id -> EventId.parseStored("event_ids", id)).toList(),
        GripMessages.fromWire("grip_ids", message.getGripIdsList()),
        message.getMemoryIdsList().stream().map(id -> MemoryId.parse("memory_ids", id)).toList(),
        message.getOmitted(),
        message.hasDegraded() ? Optional.of(message.getDegraded()) : Optional.empty(),
        message.hasNothingBecause() ? Optional.of(message.getNothingBecause()) : Optional.empty());
  }

  public static SearchStatusResponse toWire(SearchReport report) {
    var message =
        SearchStatusResponse.newBuilder()
            .setEvents(report.events())
            .setSummaries(report.summaries())
            .setEmbedded(report.vectors())
            .setToEmbed(report.toEmbed())
            .setDiskBytes(report.bytes())
            .setBehind(report.behind())
            .setComplete(report.complete());
    report.model().ifPresent(message::setModel);
    report.rebuilt().ifPresent(message::setRebuilt);
    report.waitsFor().ifPresent(message::setWaitsFor);
    return message.build();
  }

  public static SearchReport fromWire(SearchStatusResponse message) {
    return new SearchReport(
        message.getBehind(),
        message.getEvents(),
        message.getSummaries(),
        message.getEmbedded(),
        message.getToEmbed(),
        message.hasModel() ? Optional.of(message.getModel()) : Optional.empty(),
        message.getDiskBytes(),
        message.hasRebuilt() ? Optional.of(message.getRebuilt()) : Optional.empty(),
        message.getComplete(),
        message.hasWaitsFor() ? Optional.of(message.getWaitsFor()) : Optional.empty());
  }
}
