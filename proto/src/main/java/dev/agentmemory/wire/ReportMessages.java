package dev.agentmemory.wire;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.proto.ConsumerStats;
import dev.agentmemory.proto.GatewayStats;
import dev.agentmemory.proto.GetModelUsageResponse;
import dev.agentmemory.proto.GetStatsResponse;
import dev.agentmemory.proto.GetUsageResponse;
import dev.agentmemory.proto.ModelUsageRow;
import dev.agentmemory.proto.ModelUsageSums;
import dev.agentmemory.proto.RebuildTocResponse;
import dev.agentmemory.proto.ScrubResponse;
import dev.agentmemory.proto.ScrubbedKind;
import dev.agentmemory.proto.SummarizerStats;
import dev.agentmemory.proto.TableUsage;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.types.MemoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Maps reports for operators.
public final class ReportMessages {

  private ReportMessages() {}

  public static GetStatsResponse toWire(DaemonReport report) {
    StoreStats store = report.store();
    var message =
        GetStatsResponse.newBuilder()
            .setEvents(store.events())
            .setOutboxHead(store.outboxHead())
            .setOutboxTail(store.outboxTail())
            .setDirtyNodes(store.dirtyNodes())
            .setDeadLetters(store.deadLetters())
            .setWalSyncs(store.walSyncs())
            .setCommits(store.commits())
            .setDiskBytes(store.diskBytes())
            .setUnsupportedBullets(report.unsupportedBullets())
            .setZone(report.zone().getId())
            .setVersion(report.version())
            .setStartedAtMs(report.startedAt().toEpochMilli())
            .setTocComplete(report.tocComplete())
            .addAllProblems(report.problems())
            .setSummarizer(toWire(report.summarizer()));
    message.putAllRefusedEvents(report.refused().byReason());
    report.refused().last().ifPresent(message::setLastRefusal);
    report.waitsFor().ifPresent(message::setWaitsFor);
    if (!report.gateway().equals(GatewayReport.NONE)) {
      message.setGateway(toWire(report.gateway()));
    }
    new TreeMap<>(report.consumers())
        .forEach((name, cursor) -> message.addConsumers(consumer(name, cursor)));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static DaemonReport fromWire(GetStatsResponse message) {
    Map<String, Long> consumers =
        message.getConsumersList().stream()
            .collect(
                Collectors.toMap(
                    ConsumerStats::getName, ConsumerStats::getCursor, (one, other) -> other));
    return new DaemonReport(
        new StoreStats(
            message.getEvents(),
            message.getOutboxHead(),
            message.getOutboxTail(),
            message.getDirtyNodes(),
            message.getDeadLetters(),
            message.getWalSyncs(),
            message.getCommits(),
            message.getDiskBytes()),
        consumers,
        message.getUnsupportedBullets(),
        zone(message.getZone()),
        message.getVersion(),
        Instant.ofEpochMilli(message.getStartedAtMs()),
        message.getTocComplete(),
        message.getProblemsList(),
        // A daemon that says nothing of it is too old to have another one.
        message.hasSummarizer() ? fromWire(message.getSummarizer()) : SummarizerReport.EXTRACTIVE,
        new RefusalReport(
            message.getRefusedEventsMap(),
            message.hasLastRefusal() ? Optional.of(message.getLastRefusal()) : Optional.empty()),
        fromWire(message.getGateway()),
        message.hasWaitsFor() ? Optional.of(message.getWaitsFor()) : Optional.empty());
  }

  private static GatewayStats toWire(GatewayReport gateway) {
    var message =
        GatewayStats.newBuilder()
            .putAllHooks(gateway.hooks())
            .setSpoolWaiting(gateway.spool().waiting())
            .setSpoolRejected(gateway.spool().rejected())
            .putAllRefusedRequests(gateway.refusedRequests())
            .putAllRefusedConnections(gateway.refusedConnections())
            .setMemoryBytes(gateway.memory().used())
            .setMemoryCeilingBytes(gateway.memory().ceiling())
            .addAllExcludedProjects(gateway.recording().excluded())
            .setPrivateSessions(gateway.recording().privateSessions());
    gateway.recording().privateWord().ifPresent(message::setPrivateWord);
    return message.build();
  }

  private static GatewayReport fromWire(GatewayStats message) {
    return new GatewayReport(
        message.getHooksMap(),
        new GatewayReport.Spool(message.getSpoolWaiting(), message.getSpoolRejected()),
        message.getRefusedRequestsMap(),
        message.getRefusedConnectionsMap(),
        new GatewayReport.Recording(
            message.getExcludedProjectsList(),
            message.hasPrivateWord() ? Optional.of(message.getPrivateWord()) : Optional.empty(),
            message.getPrivateSessions()),
        new GatewayReport.ProcessBytes(message.getMemoryBytes(), message.getMemoryCeilingBytes()));
  }

  private static SummarizerStats toWire(SummarizerReport summarizer) {
    var message =
        SummarizerStats.newBuilder()
            .setName(summarizer.name())
            .setNodesWait(summarizer.nodesWait());
    summarizer
        .spending()
        .ifPresent(spending ->
            message
                .setTokensToday(spending.tokensToday())
                .setDailyTokenBudget(spending.dailyBudget()));
    summarizer.waitsFor().ifPresent(message::setWaitsFor);
    return message.build();
  }

  private static SummarizerReport fromWire(SummarizerStats message) {
    return new SummarizerReport(
        message.getName(),
        message.hasTokensToday()
            ? Optional.of(
                new SummarizerReport.Spending(
                    message.getTokensToday(), message.getDailyTokenBudget()))
            : Optional.empty(),
        message.getNodesWait(),
        message.hasWaitsFor() ? Optional.of(message.getWaitsFor()) : Optional.empty());
  }

  public static GetModelUsageResponse toWire(ModelUsage usage) {
    var message =
        GetModelUsageResponse.newBuilder().setDays(usage.days()).setTotal(toWire(usage.total()));
    for (ModelUsage.Row row : usage.rows()) {
      message.addRows(
          ModelUsageRow.newBuilder()
              .setDay(row.day().toString())
              .setModel(row.model())
              .setSums(toWire(row.sums())));
    }
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ModelUsage fromWire(GetModelUsageResponse message) {
    return new ModelUsage(
        message.getDays(),
        message.getRowsList().stream()
            .map(row ->
                new ModelUsage.Row(day(row.getDay()), row.getModel(), fromWire(row.getSums())))
            .toList(),
        fromWire(message.getTotal()));
  }

  private static ModelUsageSums toWire(ModelUsage.Sums sums) {
    return ModelUsageSums.newBuilder()
        .setCalls(sums.calls())
        .setFailedCalls(sums.failedCalls())
        .setInputTokens(sums.inputTokens())
        .setOutputTokens(sums.outputTokens())
        .build();
  }

  private static ModelUsage.Sums fromWire(ModelUsageSums message) {
    return new ModelUsage.Sums(
        message.getCalls(),
        message.getFailedCalls(),
        message.getInputTokens(),
        message.getOutputTokens());
  }

  public static dev.agentmemory.proto.Finding toWire(Finding finding) {
    return dev.agentmemory.proto.Finding.newBuilder()
        .setTable(finding.table())
        .setKey(finding.key())
        .setProblem(finding.problem())
        .build();
  }

  public static Finding fromWire(dev.agentmemory.proto.Finding message) {
    return new Finding(message.getTable(), message.getKey(), message.getProblem());
  }

  public static RebuildTocResponse toWire(RebuildReport report) {
    return RebuildTocResponse.newBuilder()
        .setSessions(report.sessions())
        .setSegments(report.segments())
        .build();
  }

  public static RebuildReport fromWire(RebuildTocResponse message) {
    return new RebuildReport(message.getSessions(), message.getSegments());
  }

  public static ScrubResponse toWire(ScrubReport report) {
    return ScrubResponse.newBuilder()
        .setEvents(report.events())
        .setDigests(report.digests())
        .setMemories(report.memories())
        .setRecords(report.records())
        .setSessionsLeft(report.sessionsLeft())
        .addAllKinds(report.kinds().stream().map(ReportMessages::toWire).toList())
        .build();
  }

  private static ScrubbedKind toWire(ScrubReport.Kind kind) {
    return ScrubbedKind.newBuilder()
        .setKind(kind.name())
        .setEvents(kind.events())
        .setDigests(kind.digests())
        .setMemories(kind.memories())
        .setRecords(kind.records())
        .build();
  }

  public static ScrubReport fromWire(ScrubResponse message) {
    return new ScrubReport(
        message.getEvents(),
        message.getDigests(),
        message.getMemories(),
        message.getRecords(),
        message.getSessionsLeft(),
        message.getKindsList().stream()
            .map(kind ->
                new ScrubReport.Kind(
                    kind.getKind(),
                    kind.getEvents(),
                    kind.getDigests(),
                    kind.getMemories(),
                    kind.getRecords()))
            .toList());
  }

  public static GetUsageResponse toWire(StoreUsage usage) {
    var message =
        GetUsageResponse.newBuilder()
            .setEvents(usage.events())
            .setSessions(usage.sessions())
            .setSegments(usage.segments())
            .setNodes(usage.nodes())
            .setNodeVersions(usage.nodeVersions())
            .setGrips(usage.grips())
            .setOutboxEntries(usage.outboxEntries())
            .setRecords(usage.records())
            .setDiskBytes(usage.diskBytes());
    for (StoreUsage.Table table : usage.tables()) {
      message.addTables(
          TableUsage.newBuilder().setTable(table.name()).setDiskBytes(table.diskBytes()));
    }
    return message.build();
  }

  public static StoreUsage fromWire(GetUsageResponse message) {
    return new StoreUsage(
        message.getEvents(),
        message.getSessions(),
        message.getSegments(),
        message.getNodes(),
        message.getNodeVersions(),
        message.getGrips(),
        message.getOutboxEntries(),
        message.getRecords(),
        message.getDiskBytes(),
        message.getTablesList().stream()
            .map(table -> new StoreUsage.Table(table.getTable(), table.getDiskBytes()))
            .toList());
  }

  private static ConsumerStats consumer(String name, long cursor) {
    return ConsumerStats.newBuilder().setName(name).setCursor(cursor).build();
  }

  private static LocalDate day(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw MemoryException.invalid("rows.day", "is not a date such as 2026-01-30: " + text);
    }
  }

  private static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      throw MemoryException.invalid("zone", "is not a known time zone: " + id);
    }
  }
}
