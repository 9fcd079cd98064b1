package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptsTest {

  private static final String LOG =
      """
      {"type":"summary","summary":"not said"}
      {"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"content":"ask"}}
      {"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"content":\
      [{"type":"thinking","thinking":"hm"},{"type":"text","text":"say"}]}}
      {"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"content":\
      [{"type":"tool_result","content":[{"type":"text","text":"found"}]}]}}
      {"type":"user","sessionId":"s","timest
      """;

  @TempDir private Path folder;

  @Test
  void read_log_givesWhatWasSaidAndFound() throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.jsonl.gz")))) {
      out.write(LOG.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Transcripts.read(folder))
        .extracting(Event::type, Event::text)
        .containsExactly(
            tuple(EventType.USER_MESSAGE, "ask"),
            tuple(EventType.ASSISTANT_MESSAGE, "say"),
            tuple(EventType.TOOL_RESULT, "found"));
  }
}
