package dev.agentmemory.agents.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void replace_byManyAtOnce_leavesOneWholeFile() throws IOException {
    Path file = folder.resolve("settings.json");
    Path link = folder.resolve("link");
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, 4)
            .mapToObj(writer ->
                CompletableFuture.runAsync(() -> {
                  for (int i = 0; i < 50; i++) {
                    try {
                      WholeFile.replace(file, new byte[10_000 + writer]);
                      WholeFile.replaceLink(link, file);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }
                }))
            .toList();
    writers.forEach(CompletableFuture::join);

    assertThat(Files.size(file)).isBetween(10_000L, 10_003L);
    assertThat(Files.readSymbolicLink(link)).isEqualTo(file);
    assertThat(names()).containsExactly("link", "settings.json");
  }

  @Test
  void replace_hasThePermissions_andLeavesNoDraftWhenItFails() throws IOException {
    Path file = folder.resolve("script");
    WholeFile.replace(file, new byte[1], PosixFilePermissions.fromString("rwx------"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rwx------");
    Path blocked = folder.resolve("blocked");
    Files.createDirectories(blocked.resolve("x"));

    assertThatThrownBy(() -> WholeFile.replace(blocked, new byte[1]))
        .isInstanceOf(IOException.class);
    assertThat(names()).containsExactly("blocked", "script");
  }

  @Test
  void replaceTidily_deletesOldDraftsOfTheFileOnly() throws IOException {
    Path file = folder.resolve("settings.json");
    for (String name :
        List.of(".settings.json.memory1.tmp", ".settings.json.memory2.tmp", ".other.memory3.tmp")) {
      Files.createFile(folder.resolve(name));
      if (!name.contains("2")) {
        Files.setLastModifiedTime(
            folder.resolve(name), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
      }
    }
    WholeFile.replaceTidily(file, new byte[1], WholeFile.OWN);

    assertThat(names())
        .containsExactly(".other.memory3.tmp", ".settings.json.memory2.tmp", "settings.json");
  }
}
