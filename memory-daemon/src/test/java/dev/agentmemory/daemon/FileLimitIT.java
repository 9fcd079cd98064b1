package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged daemon when it may open few files.
@Tag("slow")
class FileLimitIT {

  @TempDir private Path folder;

  @Test
  void start_withTooFewFiles_saysSoInOneSentence() throws Exception {
    for (int files : List.of(64, 128, FileLimit.LEAST - 1)) {
      for (String[] command :
          List.of(
              new String[] {"start", "--port", "0"},
              new String[] {"start", "--foreground", "--port", "0"})) {
        PackagedDaemon.Run run = PackagedDaemon.runWithFiles(files, folder.resolve("data"), command);
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
        assertThat(run.output())
            .contains("may open " + files + " files, and the daemon needs 320")
            .contains("ulimit -n 1024")
            .doesNotContain("\tat ", "Exception");
      }
    }
  }
}
