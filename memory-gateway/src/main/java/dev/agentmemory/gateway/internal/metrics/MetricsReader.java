package dev.agentmemory.gateway.internal.metrics;

import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.api.metrics.IngestMetrics;
import dev.agentmemory.api.metrics.Occurrence;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.api.metrics.WriteMetrics;
import dev.agentmemory.gateway.hook.HookCounts;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.spi.measure.ResidentMemory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// Reads what is measured and names it.
public final class MetricsReader {

  private static final double MILLIS_OF_A_MICRO = 0.001;
  private static final double MILLIS_OF_A_SECOND = 1000;

  private static final String WORKSPACE = "workspace";
  private static final String CONSUMER = "consumer";
  private static final String OUTCOME = "outcome";
  private static final String JOB = "job";
  private static final String CACHE = "cache";

  /// Of the memories that belong to no workspace. No workspace can be called that.
  private static final String ACCOUNT = "@account";

  /// Why gRPC refuses connections and calls.
  private static final List<String> GRPC_REASONS =
      List.of(
          "limit",
          "unauthenticated",
          "unused",
          "unread",
          "handshake",
          "streams",
          "requests",
          "memory");

  private static final Set<Occurrence> WITHOUT_LABEL =
      Set.of(
          Occurrence.MODEL_CALL_SUCCEEDED,
          Occurrence.MODEL_CALL_FAILED,
          Occurrence.INPUT_TOKEN,
          Occurrence.OUTPUT_TOKEN,
          Occurrence.SESSION_COMPACTED,
          Occurrence.FILES_MERGED,
          Occurrence.DAMAGE_FOUND);

  private final Supplier<EngineMetrics> engine;
  private final Supplier<GatewayReport> gateway;
  private final WorkspaceLabels labels = new WorkspaceLabels();

  /// @param engine what is measured of the engine
  /// @param gateway what came over HTTP and from hooks
  public MetricsReader(Supplier<EngineMetrics> engine, Supplier<GatewayReport> gateway) {
    this.engine = engine;
    this.gateway = gateway;
  }

  /// All metrics as they are now, in the text format of Prometheus.
  public String text() {
    EngineMetrics measured = engine.get();
    var page = new MetricsPage();
    writes(page, measured.writes());
    ingest(page, measured.ingest());
    page.histogram(Metric.QUERY_DURATION, measured.queries(), MILLIS_OF_A_MICRO);
    occurrences(page, measured.occurrences());
    page.gauge(Metric.BLOCK_CACHE, measured.blockCache().usedBytes());
    page.gauge(Metric.BLOCK_CACHE_LIMIT, measured.blockCache().maxBytes());
    page.gauge(Metric.WORKSPACES_KNOWN, measured.states().known());
    page.gauge(Metric.WORKSPACES_OPEN, measured.states().open());
    page.gauge(Metric.WORKSPACES_FAILING, measured.states().failing());
    page.gauge(Metric.ENTRIES, measured.accountMemories(), WORKSPACE, ACCOUNT);
    workspaces(page, measured.workspaces());
    gateway(page, gateway.get());
    ResidentMemory.anonymousBytes()
        .ifPresent(bytes -> page.gauge(Metric.RESIDENT_ANONYMOUS, bytes));
    page.jvm();
    return page.text();
  }

  private static void writes(MetricsPage page, WriteMetrics writes) {
    page.histogram(Metric.WRITE_DURATION, writes.durations(), MILLIS_OF_A_MICRO);
    page.histogram(Metric.COMMIT_SYNC, writes.syncs(), MILLIS_OF_A_MICRO);
    page.histogram(Metric.COMMIT_GROUP, writes.groups(), 1);
    page.counter(Metric.CONTENTION, writes.waited(), OUTCOME, "waited");
    page.counter(Metric.CONTENTION, writes.refused(), OUTCOME, "refused");
  }

  private static void ingest(MetricsPage page, IngestMetrics ingest) {
    page.histogram(Metric.INGEST_DURATION, ingest.durations(), MILLIS_OF_A_MICRO);
    page.counter(Metric.INGEST_EVENTS, ingest.stored(), OUTCOME, "stored");
    page.counter(Metric.INGEST_EVENTS, ingest.known(), OUTCOME, "known");
    page.counter(Metric.INGEST_EVENTS, ingest.refused(), OUTCOME, "refused");
  }

  private static void occurrences(MetricsPage page, Map<OccurrenceKey, Long> counts) {
    Map<OccurrenceKey, Long> all = new HashMap<>(counts);
    // A counter that begins with its first value has no rate.
    WITHOUT_LABEL.forEach(what -> all.putIfAbsent(OccurrenceKey.of(what), 0L));
    all.forEach((key, count) -> occurrence(page, key, count));
  }

  private static void occurrence(MetricsPage page, OccurrenceKey key, long count) {
    switch (key.what()) {
      case JOB_SUCCEEDED -> run(page, key, "succeeded", count);
      case JOB_FAILED -> run(page, key, "failed", count);
      case JOB_SKIPPED -> run(page, key, "skipped", count);
      case CACHE_HIT -> lookup(page, key, "hit", count);
      case CACHE_MISS -> lookup(page, key, "miss", count);
      case MODEL_CALL_SUCCEEDED -> page.counter(Metric.MODEL_CALLS, count, OUTCOME, "succeeded");
      case MODEL_CALL_FAILED -> page.counter(Metric.MODEL_CALLS, count, OUTCOME, "failed");
      case INPUT_TOKEN -> page.counter(Metric.MODEL_INPUT, count);
      case OUTPUT_TOKEN -> page.counter(Metric.MODEL_OUTPUT, count);
      case SESSION_COMPACTED -> page.counter(Metric.COMPACTIONS, count);
      case FILES_MERGED -> page.counter(Metric.ROCKS_COMPACTIONS, count);
      case DAMAGE_FOUND -> page.counter(Metric.CORRUPTIONS, count);
    }
  }

  private static void run(MetricsPage page, OccurrenceKey key, String outcome, long count) {
    page.counter(Metric.JOB_RUNS, count, JOB, key.of(), OUTCOME, outcome);
  }

  private static void lookup(MetricsPage page, OccurrenceKey key, String outcome, long count) {
    page.counter(Metric.CACHE_REQUESTS, count, CACHE, key.of(), OUTCOME, outcome);
  }

  private static void gateway(MetricsPage page, GatewayReport report) {
    for (RefusalReason reason : RefusalReason.values()) {
      String outcome = word(reason);
      long count = report.refusedRequests().getOrDefault(outcome, 0L);
      page.counter(Metric.HTTP_REFUSED, count, OUTCOME, outcome);
    }
    for (HookCounts.Outcome each : HookCounts.Outcome.values()) {
      String outcome = word(each);
      long count = report.hooks().getOrDefault(outcome, 0L);
      page.counter(Metric.HOOK_MESSAGES, count, OUTCOME, outcome);
    }
    Map<String, Long> refused = new TreeMap<>(report.refusedConnections());
    // A counter that begins with its first value has no rate.
    GRPC_REASONS.forEach(reason -> refused.putIfAbsent(reason, 0L));
    refused.forEach((reason, count) -> page.counter(Metric.GRPC_REFUSED, count, OUTCOME, reason));
    if (report.memory().ceiling() > 0) {
      page.gauge(Metric.CEILING, report.memory().ceiling());
    }
    page.gauge(Metric.SPOOL_WAITING, report.spool().waiting());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// A workspace with its label.
  private record Labelled(String label, WorkspaceMetrics metrics) {}

  private void workspaces(MetricsPage page, List<WorkspaceMetrics> workspaces) {
    var rows =
        new Rows(
            page,
            workspaces.stream()
                .map(one -> new Labelled(labels.label(one.workspace()), one))
                .toList());
    rows.sum(Metric.SESSIONS_ACTIVE, one -> one.size().activeSessions());
    rows.sum(Metric.ENTRIES, one -> one.size().memories());
    rows.sum(Metric.EVENTS, one -> one.size().events());
    rows.sum(Metric.SIZE, one -> one.size().storeBytes() + one.size().indexBytes());
    rows.sum(Metric.INDEX_SIZE, one -> one.size().indexBytes());
    rows.sum(Metric.DEAD_LETTERS, one -> one.progress().deadLetters());
    rows.sum(Metric.TOC_DIRTY, one -> one.progress().dirtyNodes());
    rows.longest(Metric.TOC_FRESHNESS, one -> seconds(one.progress().toc().time()));
    rows.longest(Metric.INDEX_FRESHNESS, one -> seconds(one.progress().index().time()));
    rows.sum(Metric.MODEL_TODAY, WorkspaceMetrics::tokensToday);
    rows.sum(Metric.MEMTABLES, one -> one.storage().memtableBytes());
    rows.sum(Metric.PENDING_COMPACTION, one -> one.storage().pendingCompactionBytes());
    rows.sum(Metric.ROWS, one -> one.storage().estimatedRows());
    rows.sum(Metric.BACKGROUND_ERRORS, one -> one.storage().backgroundErrors());
    rows.lags();
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS_OF_A_SECOND;
  }

  /// Writes a value of each workspace. Those with one label are joined.
  private record Rows(MetricsPage page, List<Labelled> workspaces) {

    void sum(Metric metric, ToDoubleFunction<WorkspaceMetrics> value) {
      write(metric, value, Double::sum);
    }

    void longest(Metric metric, ToDoubleFunction<WorkspaceMetrics> value) {
      write(metric, value, Math::max);
    }

    private void write(
        Metric metric, ToDoubleFunction<WorkspaceMetrics> value, DoubleBinaryOperator joining) {
      joined(value, joining).forEach((label, sum) -> page.gauge(metric, sum, WORKSPACE, label));
    }

    private Map<String, Double> joined(
        ToDoubleFunction<WorkspaceMetrics> value, DoubleBinaryOperator joining) {
      Map<String, Double> joined = new TreeMap<>();
      for (Labelled one : workspaces) {
        joined.merge(one.label(), value.applyAsDouble(one.metrics()), joining::applyAsDouble);
      }
      return joined;
    }

    void lags() {
      workspaces.stream()
          .flatMap(one -> one.metrics().progress().consumers().keySet().stream())
          .distinct()
          .forEach(this::lag);
    }

    private void lag(String consumer) {
      joined(one -> entries(one, consumer), Double::sum)
          .forEach((label, sum) ->
              page.gauge(Metric.OUTBOX_LAG, sum, WORKSPACE, label, CONSUMER, consumer));
    }

    private static double entries(WorkspaceMetrics one, String consumer) {
      WorkspaceMetrics.Lag lag = one.progress().consumers().get(consumer);
      return lag == null ? 0 : lag.entries();
    }
  }
}
