package dev.agentmemory.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileDigestsTest {

  @TempDir Path folder;

  @Test
  void changed_fileWrittenMadeOrGone_isFound() throws IOException {
    write("db/a/same", "1");
    write("db/a/written", "1");
    write("db/b/gone", "1");
    write("logs/x", "1");
    FileDigests before = digests();
    write("db/a/written", "2");
    write("db/b/made", "1");
    write("logs/x", "2");
    Files.delete(folder.resolve("db/b/gone"));

    FileDigests after = digests();

    assertThat(before.changed(after))
        .containsExactly(Path.of("db/a/written"), Path.of("db/b/gone"), Path.of("db/b/made"));
    List<Path> ofA = List.of(Path.of("db/a"));
    assertThat(before.below(ofA).changed(after.below(ofA)))
        .containsExactly(Path.of("db/a/written"));
    assertThat(before.changed(before)).isEmpty();
  }

  private FileDigests digests() {
    return FileDigests.of(folder, path -> !path.startsWith("logs"));
  }

  private void write(String path, String content) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
