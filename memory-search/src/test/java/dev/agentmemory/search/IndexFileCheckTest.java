package dev.agentmemory.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Finding;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexFileCheckTest {

  private static final String LOCK = "write.lock";

  @TempDir private Path folder;

  @Test
  void check_openAndClosedIndex_findsNothing() {
    try (Bench bench = bench()) {
      assertThat(IndexFileCheck.run(bench.folder)).isEmpty();
    }
    assertThat(IndexFileCheck.run(folder)).isEmpty();
    assertThat(IndexFileCheck.run(folder.resolve("none"))).isEmpty();
  }

  /// Most of these files open as if nothing were wrong.
  @Test
  void check_oneBitOfAnyFile_namesTheFile() throws IOException {
    bench().close();
    List<Path> files = files();
    assertThat(files).hasSizeGreaterThan(3);
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      byte[] hit = whole.clone();
      hit[whole.length / 2] ^= 1;
      Files.write(file, hit);

      assertThat(IndexFileCheck.run(folder))
          .as(file.toString())
          .anySatisfy(finding ->
              assertThat(folder.resolveSibling(finding.key()).toString())
                  .isIn(file.toString(), String.valueOf(file.getParent())));
      Files.write(file, whole);
    }
    assertThat(IndexFileCheck.run(folder)).isEmpty();
  }

  @Test
  void check_fileRemoved_saysThatItIsMissing() throws IOException {
    bench().close();
    Path gone =
        files().stream()
            .filter(file -> !file.getFileName().toString().startsWith("segments"))
            .findFirst()
            .orElseThrow();
    Files.delete(gone);

    assertThat(IndexFileCheck.run(folder)).extracting(Finding::problem).containsOnly("is missing");
  }

  private Bench bench() {
    Bench bench = new Bench(folder);
    bench.say(TestEvents.messages("a", 20).toArray(Event[]::new)).follow();
    return bench;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.endsWith(LOCK))
          .sorted()
          .toList();
    }
  }
}
