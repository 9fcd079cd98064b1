package dev.agentmemory.bench.fuzz;

import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.fuzz.Changed;
import dev.agentmemory.testkit.fuzz.FuzzAttempt;
import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import dev.agentmemory.testkit.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Transcripts of agents, changed and imported.
final class TranscriptFuzz implements FuzzTarget {

  /// Files of one command. Each is an input.
  static final int FILES = 500;

  /// The exit code of a command that stored the other events.
  private static final int EVENTS_REFUSED = 4;

  private static final List<String> AGENTS = List.of("claude-code", "codex", "gemini", "copilot");

  private static final String CLAUDE =
      """
      {"type":"user","sessionId":"t","uuid":"u1","cwd":"/nowhere","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"Why?"}}
      {"type":"assistant","sessionId":"t","uuid":"u2","parentUuid":"u1","timestamp":"2026-03-01T10:00:05Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"So."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}
      {"type":"user","sessionId":"t","uuid":"u3","timestamp":"2026-03-01T10:00:06Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a b"}]}}
      """;

  private static final String CODEX =
      """
      {"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"t","cwd":"/nowhere","cli_version":"1"}}
      {"timestamp":"2026-03-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Why?"}]}}
      {"timestamp":"2026-03-01T10:00:02Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"c"}}
      {"timestamp":"2026-03-01T10:00:03Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"a b"}}
      """;

  private static final String GEMINI =
      """
      {"sessionId":"t","projectHash":"h","startTime":"2026-03-01T10:00:00Z","lastUpdated":"2026-03-01T10:00:00Z"}
      {"id":"1","timestamp":"2026-03-01T10:00:01Z","type":"user","content":"Why?"}
      {"id":"2","timestamp":"2026-03-01T10:00:02Z","type":"gemini","content":"So.","toolCalls":[{"id":"c","name":"ls","args":{},"result":[]}]}
      """;

  private static final String COPILOT =
      """
      {"type":"session.start","id":"1","timestamp":"2026-03-01T10:00:00Z","data":{"sessionId":"t","context":{"cwd":"/nowhere"}}}
      {"type":"user.message","id":"2","timestamp":"2026-03-01T10:00:01Z","data":{"content":"Why?"}}
      {"type":"assistant.message","id":"3","timestamp":"2026-03-01T10:00:02Z","data":{"content":"So.","toolRequests":[]}}
      """;

  private final Site site;
  private final Path data;
  private final AtomicInteger directories = new AtomicInteger();

  /// @param data the directory of a running daemon
  TranscriptFuzz(Site site, Path data) {
    this.site = site;
    this.data = data;
  }

  @Override
  public String name() {
    return "transcripts, commands of " + FILES;
  }

  @Override
  public FuzzAttempt attempt(RandomGenerator random) throws IOException, InterruptedException {
    String agent = AGENTS.get(random.nextInt(AGENTS.size()));
    Path folder =
        Files.createDirectories(site.path("transcripts-" + directories.getAndIncrement()));
    for (int i = 0; i < FILES; i++) {
      Files.write(file(folder, agent, i), Changed.bytesOf(valid(agent), random));
    }
    Commands.Ran ran =
        site.command("import", agent, folder.toString(), "--json", "--data", data.toString());
    return new FuzzAttempt(
        switch (ran.status()) {
          case 0 -> Outcome.VALID;
          case EVENTS_REFUSED -> Outcome.REFUSED;
          default -> Outcome.DEFECT;
        },
        agent + " " + folder,
        ran.status() + " " + ran.printed() + ran.errors());
  }

  private static Path file(Path folder, String agent, int number) throws IOException {
    String name = "session-" + number;
    return switch (agent) {
      case "codex" -> folder.resolve("rollout-2026-03-01T10-00-00-" + name + ".jsonl");
      case "copilot" -> Files.createDirectories(folder.resolve(name)).resolve("events.jsonl");
      default -> folder.resolve(name + ".jsonl");
    };
  }

  private static String valid(String agent) {
    return switch (agent) {
      case "codex" -> CODEX;
      case "gemini" -> GEMINI;
      case "copilot" -> COPILOT;
      default -> CLAUDE;
    };
  }
}
