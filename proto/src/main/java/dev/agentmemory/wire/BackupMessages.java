package dev.agentmemory.wire;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.proto.BackupProgress;
import dev.agentmemory.proto.BackupResult;
import dev.agentmemory.proto.CreateBackupResponse;
import java.util.Optional;

/// Maps the progress of backups.
public final class BackupMessages {

  private BackupMessages() {}

  public static CreateBackupResponse toWire(BackupStep step) {
    var message = CreateBackupResponse.newBuilder().setWorkspace(step.workspace());
    switch (step) {
      case BackupStep.Going going ->
          message.setProgress(
              BackupProgress.newBuilder().setDoneBytes(going.done()).setTotalBytes(going.total()));
      case BackupStep.Made made ->
          message.setResult(
              BackupResult.newBuilder()
                  .setBackupId(made.id())
                  .setEvents(made.events())
                  .setBytes(made.bytes())
                  .setNewBytes(made.newBytes()));
      case BackupStep.Failed failed -> message.setFailure(failed.why());
    }
    return message.build();
  }

  /// Empty for a step that this version does not know.
  public static Optional<BackupStep> fromWire(CreateBackupResponse message) {
    String workspace = message.getWorkspace();
    return switch (message.getStepCase()) {
      case PROGRESS ->
          Optional.of(
              new BackupStep.Going(
                  workspace,
                  message.getProgress().getDoneBytes(),
                  message.getProgress().getTotalBytes()));
      case RESULT -> {
        BackupResult result = message.getResult();
        yield Optional.of(
            new BackupStep.Made(
                workspace,
                result.getBackupId(),
                result.getEvents(),
                result.getBytes(),
                result.getNewBytes()));
      }
      case FAILURE -> Optional.of(new BackupStep.Failed(workspace, message.getFailure()));
      case STEP_NOT_SET -> Optional.empty();
    };
  }
}
