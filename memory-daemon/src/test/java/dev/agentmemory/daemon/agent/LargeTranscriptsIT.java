package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.PackagedDaemon;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `memory import` of transcripts that are large, with the heap of the packaged program.
class LargeTranscriptsIT {

  @TempDir private Path folder;

  @Test
  void transcript_withLongLines_isRead_andTheLongestArePassedOverAndCounted() throws Exception {
    Path file = folder.resolve("s1.jsonl");
    try (Writer out = Files.newBufferedWriter(file)) {
      line(out, 1, 30);
      line(out, 2, 60);
      line(out, 3, 0);
    }
    assertThat(dryRun("claude-code", file))
        .contains("\"events\":3")
        .contains("{\"type\":\"too-long\",\"lines\":1}");
  }

  @Test
  void document_ofManyMegabytes_isRead() throws Exception {
    Path file = folder.resolve("export.json");
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("{\"info\":{\"id\":\"ses_1\",\"directory\":\"/p\"},\"messages\":[");
      for (int i = 0; i < 30; i++) {
        out.write(i == 0 ? "" : ",");
        out.write("{\"info\":{\"id\":\"msg_" + i + "\",\"role\":\"user\",");
        out.write("\"time\":{\"created\":" + (1_795_342_857_825L + i) + "}},\"parts\":[");
        out.write("{\"id\":\"prt_" + i + "\",\"type\":\"text\",\"text\":\"ж");
        megabytes(out, 2);
        out.write("\"}]}");
      }
      out.write("]}");
    }
    assertThat(dryRun("opencode", file)).contains("\"events\":31");
  }

  private String dryRun(String agent, Path file) throws IOException, InterruptedException {
    PackagedDaemon.Run run =
        PackagedDaemon.run(
            folder.resolve("data"),
            Map.of(),
            "import",
            agent,
            file.toString(),
            "--dry-run",
            "--json");
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output().replaceAll("\\s", "");
  }

  /// A prompt. Its characters take two bytes each in memory.
  private static void line(Writer out, int number, int megabytes) throws IOException {
    out.write(
        "{\"parentUuid\":null,\"promptId\":\"p%d\",\"type\":\"user\",\"uuid\":\"u%d\","
                .formatted(number, number)
            + "\"timestamp\":\"2026-01-01T00:00:0%dZ\",\"sessionId\":\"s1\",".formatted(number)
            + "\"message\":{\"role\":\"user\",\"content\":\"ж ");
    megabytes(out, megabytes);
    out.write("\"}}\n");
  }

  private static void megabytes(Writer out, int count) throws IOException {
    String one = "x".repeat(1 << 20);
    for (int i = 0; i < count; i++) {
      out.write(one);
    }
  }
}
