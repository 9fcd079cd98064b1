package dev.agentmemory.client;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.GetModelUsageRequest;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.GetUsageRequest;
import dev.agentmemory.proto.RebuildTocRequest;
import dev.agentmemory.proto.ScrubRequest;
import dev.agentmemory.proto.VerifyStoreRequest;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.wire.ForgetMessages;
import dev.agentmemory.wire.ReportMessages;
import java.util.List;
import java.util.Optional;

/// Reports of a daemon, and operations on a whole store.
record RemoteAdmin(Calls calls) implements Admin {

  @Override
  public DaemonReport status() {
    return ReportMessages.fromWire(
        calls.call(AdminServiceGrpc.getGetStatsMethod(), GetStatsRequest.getDefaultInstance()));
  }

  @Override
  public StoreUsage usage() {
    return ReportMessages.fromWire(
        calls.work(AdminServiceGrpc.getGetUsageMethod(), GetUsageRequest.getDefaultInstance()));
  }

  @Override
  public ModelUsage modelUsage(int days) {
    return ReportMessages.fromWire(
        calls.work(
            AdminServiceGrpc.getGetModelUsageMethod(),
            GetModelUsageRequest.newBuilder().setDays(days).build()));
  }

  @Override
  public List<Finding> verify(int limit) {
    return calls
        .work(
            AdminServiceGrpc.getVerifyStoreMethod(),
            VerifyStoreRequest.newBuilder().setLimit(limit).build())
        .getFindingsList()
        .stream()
        .map(ReportMessages::fromWire)
        .toList();
  }

  @Override
  public RebuildReport rebuildToc() {
    return ReportMessages.fromWire(
        calls.work(AdminServiceGrpc.getRebuildTocMethod(), RebuildTocRequest.getDefaultInstance()));
  }

  @Override
  public ScrubReport scrub(boolean dryRun) {
    return ReportMessages.fromWire(
        calls.work(
            AdminServiceGrpc.getScrubMethod(),
            ScrubRequest.newBuilder().setDryRun(dryRun).build()));
  }

  @Override
  public ForgetPreview previewForget(Forgetting what, Optional<String> mention) {
    return ForgetMessages.fromWire(
        calls.work(
            AdminServiceGrpc.getPreviewForgetMethod(), ForgetMessages.toWire(what, mention)));
  }

  @Override
  public ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait) {
    return ForgetMessages.fromWire(
        calls.work(
            AdminServiceGrpc.getForgetMethod(),
            ForgetMessages.toWire(what).toBuilder().setDryRun(dryRun).setWait(wait).build()));
  }
}
