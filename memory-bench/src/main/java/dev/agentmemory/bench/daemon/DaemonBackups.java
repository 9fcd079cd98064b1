package dev.agentmemory.bench.daemon;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.client.MemoryClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Makes and restores backups.
public final class DaemonBackups {

  private static final long COMMAND_SECONDS = 300;

  private DaemonBackups() {}

  /// Makes a backup of all workspaces, without their indexes.
  ///
  /// @return that of the first workspace; the account may have one, too
  /// @throws IllegalStateException when it fails
  public static BackupStep.Made backUp(MemoryClient client, Path directory) {
    var ends = new ArrayList<BackupStep>();
    client
        .backups()
        .backup(
            Backups.Target.of(directory),
            List.of(),
            /* withIndex= */ false,
            step -> {
              if (!(step instanceof BackupStep.Going)) {
                ends.add(step);
              }
            });
    boolean all = ends.stream().allMatch(BackupStep.Made.class::isInstance);
    if (all && !ends.isEmpty() && ends.getFirst() instanceof BackupStep.Made made) {
      return made;
    }
    throw new IllegalStateException("the backup ended with " + ends);
  }

  /// Restores with the command that a user runs.
  ///
  /// @throws IllegalStateException when it fails
  public static void restore(String launcher, Path directory, String id, Path data)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(launcher, "restore", directory.toString(), "--to", data.toString(), "--id", id);
    Process process =
        Children.start(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          String.format(Locale.ROOT, "could not restore %s from %s", id, directory));
    }
  }
}
