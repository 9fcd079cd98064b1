package dev.agentmemory.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// Which files and directories are synced: only a power failure would show it otherwise. The JDK's
/// flight recorder tells.
public final class SyncedFiles {

  private SyncedFiles() {}

  /// What may sync files.
  public interface Action {
    void run() throws IOException;
  }

  /// The files and directories that an action syncs on this thread, in order.
  ///
  /// @param folder for the recording
  public static List<Path> by(Path folder, Action action) throws IOException {
    Path file = Files.createTempFile(folder, "flight", ".jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    String thread = Thread.currentThread().getName();
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getThread().getJavaName().equals(thread))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .map(event -> Path.of(event.getString("path")))
        .toList();
  }
}
