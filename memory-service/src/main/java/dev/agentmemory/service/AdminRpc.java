package dev.agentmemory.service;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.ForgetRequest;
import dev.agentmemory.proto.ForgetResponse;
import dev.agentmemory.proto.GetCaptureRequest;
import dev.agentmemory.proto.GetCaptureResponse;
import dev.agentmemory.proto.GetModelUsageRequest;
import dev.agentmemory.proto.GetModelUsageResponse;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.GetStatsResponse;
import dev.agentmemory.proto.GetUsageRequest;
import dev.agentmemory.proto.GetUsageResponse;
import dev.agentmemory.proto.ListAuditRequest;
import dev.agentmemory.proto.ListAuditResponse;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.PingResponse;
import dev.agentmemory.proto.PreviewForgetRequest;
import dev.agentmemory.proto.PreviewForgetResponse;
import dev.agentmemory.proto.RebuildTocRequest;
import dev.agentmemory.proto.RebuildTocResponse;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.proto.RunJobResponse;
import dev.agentmemory.proto.ScrubRequest;
import dev.agentmemory.proto.ScrubResponse;
import dev.agentmemory.proto.VerifyStoreRequest;
import dev.agentmemory.proto.VerifyStoreResponse;
import dev.agentmemory.service.internal.intercept.TokenAuth;
import dev.agentmemory.wire.AuditMessages;
import dev.agentmemory.wire.FieldNames;
import dev.agentmemory.wire.ForgetMessages;
import dev.agentmemory.wire.ReportMessages;
import dev.agentmemory.wire.view.CaptureMessages;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The administrative calls: each maps the request, calls the API and maps the response. Operations
/// on whole stores run on their own threads, so that they do not delay reads, and those that may
/// take minutes on others, so that they do not delay the former.
final class AdminRpc extends AdminServiceGrpc.AdminServiceImplBase {

  private final CallPool reads;
  private final CallPool work;
  private final CallPool rebuilds;
  private final Supplier<GatewayReport> gateway;
  private final Supplier<CaptureReport> capture;
  private final AuditTrail audit;
  private final Supplier<List<String>> troubles;

  /// @param gateway what came over HTTP and from hooks
  /// @param capture what `GetCapture` tells
  /// @param audit what `ListAudit` lists
  /// @param troubles what does not work of the daemon as a whole
  AdminRpc(
      CallPool reads,
      CallPool work,
      CallPool rebuilds,
      Supplier<GatewayReport> gateway,
      Supplier<CaptureReport> capture,
      AuditTrail audit,
      Supplier<List<String>> troubles) {
    this.reads = reads;
    this.work = work;
    this.rebuilds = rebuilds;
    this.gateway = gateway;
    this.capture = capture;
    this.audit = audit;
    this.troubles = troubles;
  }

  @Override
  public void ping(PingRequest request, StreamObserver<PingResponse> observer) {
    observer.onNext(PingResponse.getDefaultInstance());
    observer.onCompleted();
  }

  @Override
  public void getStats(GetStatsRequest request, StreamObserver<GetStatsResponse> observer) {
    boolean partly = CallMemory.lease().sharesStore() || !TokenAuth.caller().isForAll();
    reads.answer(
        observer,
        memory -> {
          DaemonReport report = memory.admin().status();
          return ReportMessages.toWire(partly ? report : whole(report));
        });
  }

  /// The report with what concerns the whole daemon.
  private DaemonReport whole(DaemonReport report) {
    List<String> problems =
        Stream.concat(report.problems().stream(), troubles.get().stream()).toList();
    return report.withProblems(problems).withGateway(gateway.get());
  }

  @Override
  public void getCapture(GetCaptureRequest request, StreamObserver<GetCaptureResponse> observer) {
    TokenAuth.caller().requireAll();
    work.answer(observer, () -> CaptureMessages.toWire(capture.get()));
  }

  @Override
  public void getUsage(GetUsageRequest request, StreamObserver<GetUsageResponse> observer) {
    work.answer(observer, memory -> ReportMessages.toWire(memory.admin().usage()));
  }

  @Override
  public void getModelUsage(
      GetModelUsageRequest request, StreamObserver<GetModelUsageResponse> observer) {
    work.answer(
        observer, memory -> ReportMessages.toWire(memory.admin().modelUsage(request.getDays())));
  }

  @Override
  public void verifyStore(
      VerifyStoreRequest request, StreamObserver<VerifyStoreResponse> observer) {
    int limit = Math.max(0, request.getLimit());
    rebuilds.answer(
        observer,
        memory ->
            VerifyStoreResponse.newBuilder()
                .addAllFindings(
                    memory.admin().verify(limit).stream().map(ReportMessages::toWire).toList())
                .build());
  }

  @Override
  public void rebuildToc(RebuildTocRequest request, StreamObserver<RebuildTocResponse> observer) {
    rebuilds.answer(observer, memory -> ReportMessages.toWire(memory.admin().rebuildToc()));
  }

  @Override
  public void scrub(ScrubRequest request, StreamObserver<ScrubResponse> observer) {
    rebuilds.answer(
        observer, memory -> ReportMessages.toWire(memory.admin().scrub(request.getDryRun())));
  }

  @Override
  public void forget(ForgetRequest request, StreamObserver<ForgetResponse> observer) {
    Forgetting what = ForgetMessages.fromWire(request);
    rebuilds.answer(
        observer,
        memory ->
            ForgetMessages.toWire(
                memory.admin().forget(what, request.getDryRun(), request.getWait())));
  }

  @Override
  public void previewForget(
      PreviewForgetRequest request, StreamObserver<PreviewForgetResponse> observer) {
    Forgetting what = FieldNames.within("what.", () -> ForgetMessages.fromWire(request.getWhat()));
    Optional<String> mention =
        request.hasMention() ? Optional.of(request.getMention()) : Optional.empty();
    rebuilds.answer(
        observer, memory -> ForgetMessages.toWire(memory.admin().previewForget(what, mention)));
  }

  @Override
  public void listAudit(ListAuditRequest request, StreamObserver<ListAuditResponse> observer) {
    var query =
        new AuditQuery(
            RequestedWorkspace.get(),
            request.hasSinceMs()
                ? Optional.of(Instant.ofEpochMilli(request.getSinceMs()))
                : Optional.empty(),
            Limits.page(request.getContinuationToken(), request.getLimit()));
    work.answer(observer, () -> listed(query));
  }

  /// If the acts together are larger than a message may be, fewer of them are read again.
  private ListAuditResponse listed(AuditQuery query) {
    ListAuditResponse answer = AuditMessages.toWire(audit.list(query));
    while (answer.getSerializedSize() > Limits.ANSWER_BYTES && answer.getEntriesCount() > 1) {
      int fewer = Limits.fewer(answer.getEntriesCount(), answer);
      answer =
          AuditMessages.toWire(
              audit.list(query.withPage(new PageRequest(query.page().token(), fewer))));
    }
    return answer;
  }

  @Override
  public void runJob(RunJobRequest request, StreamObserver<RunJobResponse> observer) {
    String job = Limits.required("job_name", request.getJobName());
    rebuilds.answer(
        observer,
        memory -> RunJobResponse.newBuilder().putAllMetadata(memory.jobs().run(job)).build());
  }
}
