package dev.agentmemory.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeftoversTest {

  @TempDir Path folder;

  @Test
  void remove_directoryOfAProcessThatIsGone_isDeletedAndOthersStay() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Path over = Files.createDirectories(folder.resolve("run-" + gone.pid() + "-1/data"));
    Path alive = Leftovers.directory(folder, "run");
    Path foreign = Files.createDirectory(folder.resolve("notes"));

    Leftovers.remove(folder);

    assertThat(over.getParent()).doesNotExist();
    assertThat(alive).exists();
    assertThat(foreign).exists();
  }

  @Test
  void remove_processThatStillWorksThere_isEnded() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Path over = Files.createDirectories(folder.resolve("stock-" + gone.pid() + "-1"));
    Path fifo = over.resolve("file");
    Files.writeString(fifo, "");
    Process works = new ProcessBuilder("tail", "-f", fifo.toString()).start();
    try {
      Leftovers.remove(folder);

      assertThat(works.waitFor()).isNotZero();
      assertThat(over).doesNotExist();
    } finally {
      works.destroyForcibly();
    }
  }

  @Test
  void remove_noFolderYet_doesNothing() throws IOException {
    Leftovers.remove(folder.resolve("none"));

    assertThat(folder.resolve("none")).doesNotExist();
  }
}
