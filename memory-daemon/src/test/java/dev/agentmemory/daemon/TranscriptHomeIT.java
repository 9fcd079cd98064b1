package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.WorkspaceName;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Transcripts of agents that run with another home directory than the system has for the user.
class TranscriptHomeIT {

  private static final Path HOOK =
      Path.of(System.getProperty("agentmemory.dist", "target/agent-memory"), "bin", "memory-hook");

  @TempDir private Path folder;

  @Test
  void transcript_belowTheVariableHome_isRead() throws Exception {
    Path data = folder.resolve("data");
    Path home = folder.resolve("home");
    Map<String, String> environment = Map.of("HOME", home.toString());
    Path transcript = home.resolve(".claude/projects/-p/s1.jsonl");
    Files.createDirectories(transcript.getParent());
    Files.writeString(
        transcript,
        """
        {"type":"assistant","uuid":"u1","sessionId":"s1","promptId":"p1","cwd":"%s",\
        "timestamp":"2026-11-25T10:00:00Z","message":{"role":"assistant",\
        "content":[{"type":"text","text":"Only the transcript has this."}]}}
        """
            .formatted(folder));

    PackagedDaemon.Run start = PackagedDaemon.run(data, environment, "start", "--port", "0");
    assertThat(start.exit()).as(start.output()).isZero();
    try {
      // The first event would create it some time after the hook has ended.
      assertThat(PackagedDaemon.run(data, "workspaces", "create", "home").exit()).isZero();
      hook(data, transcript);
      awaitText(data, "Only the transcript has this.");
    } finally {
      assertThat(PackagedDaemon.run(data, "stop").exit()).isZero();
    }
  }

  private void hook(Path data, Path transcript) throws Exception {
    var builder = new ProcessBuilder(HOOK.toString(), "claude-code", "Stop");
    builder.environment().put("MEMORY_DATA", data.toString());
    builder.environment().put("MEMORY_WORKSPACE", "home");
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(
          """
          {"session_id":"s1","prompt_id":"p1","transcript_path":"%s","cwd":"%s"}
          """
              .formatted(transcript, folder)
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static void awaitText(Path data, String text) {
    Endpoint endpoint = Endpoint.find(data).withWorkspace(Optional.of(new WorkspaceName("home")));
    try (MemoryClient client = MemoryClient.connect(endpoint)) {
      Await.until(
          "the event of the transcript",
          () ->
              client
                  .events()
                  .between(Instant.EPOCH, Instant.now(), PageRequest.of(100))
                  .items()
                  .stream()
                  .anyMatch(event -> event.text().equals(text)));
    }
  }
}
