package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.Recorded;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/// Transcripts that no version writes: lines missing, twice, in another order, of damaged bytes.
final class TranscriptMutationTest {

  private static final Map<String, Agent> FILES =
      Map.of(
          "claude-code.tools-and-subagent.jsonl", Agent.CLAUDE_CODE,
          "claude-code.fork-and-compact.jsonl", Agent.CLAUDE_CODE,
          "codex-cli.rollout.jsonl", Agent.CODEX,
          "gemini-cli.session.jsonl", Agent.GEMINI,
          "copilot-cli.events.jsonl", Agent.COPILOT,
          "opencode.db.json", Agent.OPENCODE);

  @TempDir Path folder;

  @Seeds(40)
  void mutatedTranscript_isReadToItsEnd(RandomGenerator random) throws IOException {
    for (Map.Entry<String, Agent> one : FILES.entrySet()) {
      Path file = folder.resolve(one.getKey());
      Files.write(file, mutated(Recorded.transcript(one.getKey()), random));

      List<Event> events = TranscriptFormatTest.all(one.getValue(), file, random.nextInt(1, 9999));

      assertThat(events)
          .allMatch(event -> event.text().getBytes(StandardCharsets.UTF_8).length <= 1 << 20);
      assertThat(events).noneMatch(event -> event.type().needsText() && event.text().isEmpty());
    }
  }

  private static byte[] mutated(Path file, RandomGenerator random) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    for (int i = 0; i < 5; i++) {
      int line = random.nextInt(lines.size());
      switch (random.nextInt(4)) {
        case 0 -> lines.remove(line);
        case 1 -> lines.add(line, lines.get(random.nextInt(lines.size())));
        case 2 -> lines.set(line, lines.get(line).replaceFirst("\"[a-zA-Z]+\":", "\"other\":"));
        default -> lines.set(line, lines.get(line).replace("\"text\"", "7"));
      }
      if (lines.isEmpty()) {
        break;
      }
    }
    byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(20); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }
}
