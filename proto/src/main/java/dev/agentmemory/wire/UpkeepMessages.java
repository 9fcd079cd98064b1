package dev.agentmemory.wire;

import static dev.agentmemory.wire.FieldNames.present;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.proto.ConsolidationCounts;
import dev.agentmemory.proto.ConsolidationRun;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.ImportMemoriesResponse;
import dev.agentmemory.proto.ListConsolidationsResponse;
import dev.agentmemory.proto.MemoryViewer;
import dev.agentmemory.proto.OrientRequest;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.PlannedChange;
import dev.agentmemory.proto.PreviewConsolidationResponse;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;

/// Maps consolidations, exports, imports and orientation.
public final class UpkeepMessages {

  private UpkeepMessages() {}

  public static ConsolidationCounts toWire(dev.agentmemory.api.upkeep.ConsolidationCounts counts) {
    return ConsolidationCounts.newBuilder()
        .setScored(counts.scored())
        .setPromoted(counts.promoted())
        .setPruned(counts.pruned())
        .setMerged(counts.merged())
        .setSuperseded(counts.superseded())
        .setCapped(counts.capped())
        .setExpired(counts.expired())
        .build();
  }

  public static dev.agentmemory.api.upkeep.ConsolidationCounts fromWire(
      ConsolidationCounts message) {
    return new dev.agentmemory.api.upkeep.ConsolidationCounts(
        message.getScored(),
        message.getPromoted(),
        message.getPruned(),
        message.getMerged(),
        message.getSuperseded(),
        message.getCapped(),
        message.getExpired());
  }

  public static PreviewConsolidationResponse toWire(ConsolidationPreview preview) {
    return PreviewConsolidationResponse.newBuilder()
        .setCounts(toWire(preview.counts()))
        .setShared(preview.shared())
        .addAllFirst(
            preview.first().stream()
                .map(one ->
                    PlannedChange.newBuilder()
                        .setMemoryId(one.id().value())
                        .setChange(one.change())
                        .build())
                .toList())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ConsolidationPreview fromWire(PreviewConsolidationResponse message) {
    return new ConsolidationPreview(
        fromWire(message.getCounts()),
        message.getShared(),
        message.getFirstList().stream()
            .map(one ->
                new ConsolidationPreview.Planned(
                    MemoryId.parse("first.memory_id", one.getMemoryId()), one.getChange()))
            .toList());
  }

  public static ConsolidationRun toWire(ConsolidationEntry entry) {
    var message =
        ConsolidationRun.newBuilder()
            .setRunId(entry.id())
            .setKind(entry.kind())
            .setTimeMs(entry.time().toEpochMilli())
            .setCounts(toWire(entry.counts()));
    entry.undone().ifPresent(time -> message.setUndoneMs(time.toEpochMilli()));
    return message.build();
  }

  public static ConsolidationEntry fromWire(ConsolidationRun message) {
    return new ConsolidationEntry(
        message.getRunId(),
        message.getKind(),
        Instant.ofEpochMilli(message.getTimeMs()),
        fromWire(message.getCounts()),
        present(message.hasUndoneMs(), () -> Instant.ofEpochMilli(message.getUndoneMs())));
  }

  public static ListConsolidationsResponse toWire(Page<ConsolidationEntry> page) {
    var message =
        ListConsolidationsResponse.newBuilder()
            .addAllRuns(page.items().stream().map(UpkeepMessages::toWire).toList());
    page.next().ifPresent(message::setContinuationToken);
    return message.build();
  }

  public static Page<ConsolidationEntry> fromWire(ListConsolidationsResponse message) {
    return new Page<>(
        message.getRunsList().stream().map(UpkeepMessages::fromWire).toList(),
        message.getContinuationToken());
  }

  public static ExportMemoriesRequest toWire(ExportRequest request) {
    var message = ExportMemoriesRequest.newBuilder().setRedact(request.redact());
    request.session().ifPresent(session -> message.setSessionId(session.value()));
    request.scope().map(WireEnums.SCOPE::toWire).ifPresent(message::setScope);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ExportRequest fromWire(ExportMemoriesRequest message) {
    return new ExportRequest(
        present(message.hasSessionId(), () -> MemoryMessages.session(message.getSessionId())),
        WireEnums.SCOPE.fromWire("scope", message.getScope()),
        message.getRedact());
  }

  public static ImportMemoriesResponse toWire(ImportReport report) {
    return ImportMemoriesResponse.newBuilder()
        .setImported(report.imported())
        .setKnown(report.known())
        .setSkipped(report.skipped())
        .addAllReasons(report.reasons())
        .build();
  }

  public static ImportReport fromWire(ImportMemoriesResponse message) {
    return new ImportReport(
        message.getImported(), message.getKnown(), message.getSkipped(), message.getReasonsList());
  }

  public static OrientRequest toWire(OrientationRequest request) {
    var message =
        OrientRequest.newBuilder()
            .setQuery(request.query())
            .setBudgetTokens(request.budgetTokens())
            .setPlain(!request.enveloped());
    request.viewer().session().ifPresent(session -> message.setSessionId(session.value()));
    request.viewer().channel().ifPresent(channel -> message.setChannel(channel.value()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static OrientationRequest fromWire(OrientRequest message) {
    var viewer = MemoryViewer.newBuilder();
    if (message.hasSessionId()) {
      viewer.setSessionId(message.getSessionId());
    }
    if (message.hasChannel()) {
      viewer.setChannel(message.getChannel());
    }
    MemorySearch.Viewer from = MemorySearchMessages.viewer(viewer.build());
    int budget = message.getBudgetTokens();
    return new OrientationRequest(
        message.getQuery(),
        from,
        budget == 0 ? OrientationRequest.DEFAULT_BUDGET : budget,
        !message.getPlain());
  }

  public static OrientResponse toWire(OrientationDocument document) {
    return OrientResponse.newBuilder()
        .setMarkdown(document.markdown())
        .setTokens(document.tokens())
        .addAllCitations(document.citations())
        .setRefined(document.refined())
        .setSkipped(document.skipped())
        .build();
  }

  public static OrientationDocument fromWire(OrientResponse message) {
    return new OrientationDocument(
        message.getMarkdown(),
        message.getTokens(),
        message.getCitationsList(),
        message.getRefined(),
        message.getSkipped());
  }
}
