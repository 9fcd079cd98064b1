package dev.agentmemory.service;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.GetModelUsageRequest;
import dev.agentmemory.proto.GetModelUsageResponse;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.GetStatsResponse;
import dev.agentmemory.proto.GetUsageRequest;
import dev.agentmemory.proto.GetUsageResponse;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.PingResponse;
import dev.agentmemory.proto.RebuildTocRequest;
import dev.agentmemory.proto.RebuildTocResponse;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.proto.RunJobResponse;
import dev.agentmemory.proto.ScrubRequest;
import dev.agentmemory.proto.ScrubResponse;
import dev.agentmemory.proto.VerifyStoreRequest;
import dev.agentmemory.proto.VerifyStoreResponse;
import dev.agentmemory.service.internal.intercept.TokenAuth;
import dev.agentmemory.wire.ReportMessages;
import io.grpc.stub.StreamObserver;
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
  private final Supplier<Optional<String>> access;

  /// @param gateway what came over HTTP and from hooks
  /// @param access why callers are refused that may have a right token; empty if none is
  AdminRpc(
      CallPool reads,
      CallPool work,
      CallPool rebuilds,
      Supplier<GatewayReport> gateway,
      Supplier<Optional<String>> access) {
    this.reads = reads;
    this.work = work;
    this.rebuilds = rebuilds;
    this.gateway = gateway;
    this.access = access;
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
        Stream.concat(report.problems().stream(), access.get().stream()).toList();
    return report.withProblems(problems).withGateway(gateway.get());
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
  public void runJob(RunJobRequest request, StreamObserver<RunJobResponse> observer) {
    String job = Limits.required("job_name", request.getJobName());
    rebuilds.answer(
        observer,
        memory -> RunJobResponse.newBuilder().putAllMetadata(memory.jobs().run(job)).build());
  }
}
