package dev.agentmemory.service;

import dev.agentmemory.pipeline.JobStatus;
import dev.agentmemory.proto.JobResultStatus;
import dev.agentmemory.proto.JobStatusProto;

/// Jobs on the wire.
final class JobMessages {

  private JobMessages() {}

  static JobStatusProto toWire(JobStatus job) {
    var message =
        JobStatusProto.newBuilder()
            .setJobName(job.name())
            .setCronExpr(job.schedule())
            .setLastDurationMs(job.lastDuration().toMillis())
            .setLastResult(toWire(job.lastOutcome()))
            .setRunCount(job.runs())
            .setErrorCount(job.errors())
            .setSkipCount(job.skips())
            .setIsRunning(job.running())
            .setIsPaused(job.paused())
            .setPausedItself(job.pausedItself())
            .putAllLastRunMetadata(job.metadata());
    job.lastRun().ifPresent(time -> message.setLastRunMs(time.toEpochMilli()));
    job.lastError().ifPresent(message::setLastError);
    job.nextRun().ifPresent(time -> message.setNextRunMs(time.toEpochMilli()));
    return message.build();
  }

  private static JobResultStatus toWire(JobStatus.Outcome outcome) {
    return switch (outcome) {
      case NONE -> JobResultStatus.JOB_RESULT_STATUS_UNSPECIFIED;
      case SUCCESS -> JobResultStatus.JOB_RESULT_STATUS_SUCCESS;
      case FAILED -> JobResultStatus.JOB_RESULT_STATUS_FAILED;
      case SKIPPED -> JobResultStatus.JOB_RESULT_STATUS_SKIPPED;
    };
  }
}
