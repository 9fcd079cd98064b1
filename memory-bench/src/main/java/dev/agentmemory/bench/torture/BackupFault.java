package dev.agentmemory.bench.torture;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.bench.damage.Damage;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Makes a backup and flips a bit in it, which `memory backup verify` has to find.
///
/// @param folder for the backups; must not exist, and is deleted after each
record BackupFault(Site site, Path folder) {

  void run(TortureDaemon daemon, SplittableRandom random) throws IOException, InterruptedException {
    var failures = new ArrayList<String>();
    daemon
        .client()
        .backups()
        .backup(
            Backups.Target.of(folder),
            List.of(),
            /* withIndex= */ random.nextBoolean(),
            step -> {
              if (step instanceof BackupStep.Failed(String workspace, String why)) {
                failures.add(workspace + ": " + why);
              }
            });
    if (!failures.isEmpty()) {
      // A store with a damaged table cannot be backed up, and that is a report.
      if (!daemon.isDamaged()) {
        daemon.violations().add("no backup although no file was changed: " + failures);
      }
      Trees.delete(folder);
      return;
    }
    Path file = file(random);
    var flip = new Damage.Flipped(random.nextLong(Files.size(file)), random.nextInt(8));
    flip.apply(file);
    if (verify() == 0) {
      daemon.violations().add("not found in a backup: " + file.getFileName() + " " + flip);
    }
    flip.apply(file);
    if (verify() != 0) {
      daemon.violations().add("a backup that nobody changed is reported as damaged");
    }
    Trees.delete(folder);
  }

  private int verify() throws IOException, InterruptedException {
    return site.command("backup", "verify", folder.toString()).status();
  }

  private Path file(SplittableRandom random) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files =
          // The marker of the directory is no part of a backup.
          all.filter(path -> !folder.equals(path.getParent()))
              .filter(path -> Files.isRegularFile(path) && path.toFile().length() > 0)
              .sorted()
              .toList();
      return files.get(random.nextInt(files.size()));
    }
  }
}
