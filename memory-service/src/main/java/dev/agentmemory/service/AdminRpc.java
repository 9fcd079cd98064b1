package dev.agentmemory.service;

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
import dev.agentmemory.proto.VerifyStoreRequest;
import dev.agentmemory.proto.VerifyStoreResponse;
import dev.agentmemory.wire.ReportMessages;
import io.grpc.stub.StreamObserver;

/// The administrative calls: each maps the request, calls the API and maps the response. Long
/// operations run on their own threads, so that they do not delay reads.
final class AdminRpc extends AdminServiceGrpc.AdminServiceImplBase {

  private final CallPool reads;
  private final CallPool work;

  AdminRpc(CallPool reads, CallPool work) {
    this.reads = reads;
    this.work = work;
  }

  @Override
  public void ping(PingRequest request, StreamObserver<PingResponse> observer) {
    observer.onNext(PingResponse.getDefaultInstance());
    observer.onCompleted();
  }

  @Override
  public void getStats(GetStatsRequest request, StreamObserver<GetStatsResponse> observer) {
    reads.answer(observer, memory -> ReportMessages.toWire(memory.admin().status()));
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
    work.answer(
        observer,
        memory ->
            VerifyStoreResponse.newBuilder()
                .addAllFindings(
                    memory.admin().verify(limit).stream().map(ReportMessages::toWire).toList())
                .build());
  }

  @Override
  public void rebuildToc(RebuildTocRequest request, StreamObserver<RebuildTocResponse> observer) {
    work.answer(observer, memory -> ReportMessages.toWire(memory.admin().rebuildToc()));
  }

  @Override
  public void runJob(RunJobRequest request, StreamObserver<RunJobResponse> observer) {
    String job = Limits.required("job_name", request.getJobName());
    work.answer(
        observer,
        memory -> RunJobResponse.newBuilder().putAllMetadata(memory.jobs().run(job)).build());
  }
}
