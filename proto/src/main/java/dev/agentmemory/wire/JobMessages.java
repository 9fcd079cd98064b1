package dev.agentmemory.wire;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.proto.JobResultStatus;
import dev.agentmemory.proto.JobStatusProto;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Maps jobs.
public final class JobMessages {

  private JobMessages() {}

  public static JobStatusProto toWire(JobStatus job) {
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

  /// @throws MemoryException `INVALID_FIELD` naming `jobs.<field>`
  public static JobStatus fromWire(JobStatusProto message) {
    return new JobStatus(
        message.getJobName(),
        message.getCronExpr(),
        time(message.getLastRunMs()),
        Duration.ofMillis(message.getLastDurationMs()),
        fromWire(message.getLastResult()),
        message.hasLastError() ? Optional.of(message.getLastError()) : Optional.empty(),
        time(message.getNextRunMs()),
        message.getRunCount(),
        message.getErrorCount(),
        message.getSkipCount(),
        message.getIsRunning(),
        message.getIsPaused(),
        message.getPausedItself(),
        message.getLastRunMetadataMap());
  }

  private static JobStatus.Outcome fromWire(JobResultStatus result) {
    return switch (result) {
      case JOB_RESULT_STATUS_UNSPECIFIED -> JobStatus.Outcome.NONE;
      case JOB_RESULT_STATUS_SUCCESS -> JobStatus.Outcome.SUCCESS;
      case JOB_RESULT_STATUS_FAILED -> JobStatus.Outcome.FAILED;
      case JOB_RESULT_STATUS_SKIPPED -> JobStatus.Outcome.SKIPPED;
      case UNRECOGNIZED -> throw WireEnums.unknownHere("jobs.last_result");
    };
  }

  private static Optional<Instant> time(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
