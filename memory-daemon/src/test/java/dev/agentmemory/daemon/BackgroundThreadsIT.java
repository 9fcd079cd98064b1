package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The priority of the daemon's threads, as Linux tells it.
@EnabledOnOs(OS.LINUX)
class BackgroundThreadsIT {

  /// Of the fields after the name, which can have blanks.
  private static final int NICE_FIELD = 16;

  @TempDir private Path data;

  @Test
  void threadsOfLongWork_daemonAtWork_haveALowerPriorityThanThoseOfOthers() throws Exception {
    try (var daemon = PackagedDaemon.start(data)) {
      var _ =
          daemon.client().ingest().append(TestEvents.message("s", TestEvents.START, "Embed this."));
      Await.until("the event is embedded", () -> daemon.client().search().status().vectors() == 1);
      var _ = daemon.client().admin().usage();
      var _ = daemon.client().search().rebuild();
      var _ = daemon.client().contents().root();
      Map<String, Integer> priorities = new TreeMap<>();
      try (var tasks = Files.newDirectoryStream(Path.of("/proc", daemon.pid() + "", "task"))) {
        for (Path task : tasks) {
          read(task, priorities);
        }
      }
      int normal = priorities.getOrDefault("memory-read-", 99);
      assertThat(priorities)
          .containsEntry("memory-admin-", normal + 5)
          .containsEntry("memory-rebuild-", normal + 5)
          .containsEntry("memory-job-", normal + 5)
          .containsEntry("memory-embedder", normal + 5);
      for (String prompt : List.of("memory-commit", "memory-http-", "memory-mapper-")) {
        assertThat(priorities).containsEntry(prompt, normal);
      }
    }
  }

  /// Adds the priority of a thread under its name without the number.
  private static void read(Path task, Map<String, Integer> priorities) throws IOException {
    try {
      String stat = Files.readString(task.resolve("stat"));
      String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      priorities.put(name.replaceAll("[0-9]+$", ""), Integer.parseInt(fields[NICE_FIELD]));
    } catch (NoSuchFileException e) {
      // It has ended meanwhile.
    }
  }
}
