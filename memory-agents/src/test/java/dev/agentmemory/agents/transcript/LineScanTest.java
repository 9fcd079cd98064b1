package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineScanTest {

  @TempDir private Path folder;

  @Test
  void contains_looksAtTheWholeLine_andAtNoOther() throws IOException {
    Path file = Files.writeString(folder.resolve("lines"), "abc\nxabxabcx\nab\nc\n");
    try (var channel = FileChannel.open(file)) {
      var scan = new LineScan(channel, 0, (_, _, _) -> "");
      assertThat(contains(scan, "abc")).isTrue();
      assertThat(contains(scan, "abc")).isTrue();
      assertThat(contains(scan, "abc")).isFalse();
      assertThat(contains(scan, "c")).isTrue();
      assertThat(scan.next()).isFalse();
    }
  }

  private static boolean contains(LineScan scan, String wanted) throws IOException {
    assertThat(scan.next()).isTrue();
    return scan.contains(new BytePattern(wanted));
  }
}
