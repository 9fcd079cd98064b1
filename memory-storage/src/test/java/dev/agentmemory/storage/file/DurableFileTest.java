package dev.agentmemory.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.testkit.SyncedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {

  @TempDir private Path folder;

  @Test
  void write_replacesTheWholeFile_andLeavesNothingBeside() throws IOException {
    Path file = folder.resolve("note.json");
    DurableFile.write(file, "a long first content");
    DurableFile.write(file, "short");
    assertThat(file).hasContent("short");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void write_syncsTheContentAndThenTheName() throws IOException {
    Path file = folder.resolve("note.json");
    assertThat(SyncedFiles.by(folder, () -> DurableFile.write(file, "text")))
        .containsExactly(DurableFile.draft(file), folder);
  }

  @Test
  void writeShared_bySeveralAtOnce_leavesTheWholeContentOfOne() throws Exception {
    Path file = folder.resolve("note.json");
    List<String> contents = List.of("a".repeat(10_000), "b", "c".repeat(100));
    try (var writers = Executors.newFixedThreadPool(contents.size())) {
      for (int round = 0; round < 100; round++) {
        List<Callable<Boolean>> writes =
            contents.stream()
                .<Callable<Boolean>>map(content ->
                    () -> {
                      DurableFile.writeShared(file, content);
                      return true;
                    })
                .toList();
        for (Future<Boolean> write : writers.invokeAll(writes)) {
          assertThat(write.get()).isTrue();
        }
        assertThat(Files.readString(file)).isIn(contents);
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
      }
    }
  }

  @Test
  void write_overALink_leavesItsTargetAlone() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "theirs");
    Path file = Files.createSymbolicLink(folder.resolve("note.json"), target);
    Files.createSymbolicLink(DurableFile.draft(file), target);
    DurableFile.write(file, "ours");
    assertThat(target).hasContent("theirs");
    assertThat(Files.isSymbolicLink(file)).isFalse();
    assertThat(file).hasContent("ours");
  }

  @Test
  void read_ofALinkOrOfTooMuch_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "12345");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(DurableFile.read(file, 5)).isEqualTo("12345".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> DurableFile.read(link, 5)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> DurableFile.read(file, 4)).hasMessageContaining("the maximum is 4");
  }
}
