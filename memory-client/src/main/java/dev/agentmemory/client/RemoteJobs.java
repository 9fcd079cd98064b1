package dev.agentmemory.client;

import dev.agentmemory.api.JobList;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.GetSchedulerStatusRequest;
import dev.agentmemory.proto.GetSchedulerStatusResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PauseJobRequest;
import dev.agentmemory.proto.PauseJobResponse;
import dev.agentmemory.proto.ResumeJobRequest;
import dev.agentmemory.proto.ResumeJobResponse;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.JobMessages;
import java.util.Map;

/// The jobs of a daemon.
record RemoteJobs(Calls calls) implements Jobs {

  @Override
  public JobList list() {
    GetSchedulerStatusResponse answer =
        calls.call(
            MemoryServiceGrpc.getGetSchedulerStatusMethod(),
            GetSchedulerStatusRequest.getDefaultInstance());
    return new JobList(
        answer.getSchedulerRunning(),
        answer.getJobsList().stream().map(JobMessages::fromWire).toList());
  }

  @Override
  public void pause(String job) {
    PauseJobResponse answer =
        calls.call(
            MemoryServiceGrpc.getPauseJobMethod(),
            PauseJobRequest.newBuilder().setJobName(job).build());
    demand(answer.getSuccess(), answer.getError());
  }

  @Override
  public void resume(String job) {
    ResumeJobResponse answer =
        calls.call(
            MemoryServiceGrpc.getResumeJobMethod(),
            ResumeJobRequest.newBuilder().setJobName(job).build());
    demand(answer.getSuccess(), answer.getError());
  }

  private static void demand(boolean success, String error) {
    if (!success) {
      throw new MemoryException(ErrorCode.NOT_FOUND, error);
    }
  }

  @Override
  public Map<String, String> run(String job) {
    return calls
        .work(
            AdminServiceGrpc.getRunJobMethod(), RunJobRequest.newBuilder().setJobName(job).build())
        .getMetadataMap();
  }
}
