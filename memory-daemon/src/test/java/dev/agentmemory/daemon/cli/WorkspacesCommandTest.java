package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that are about one workspace of several, against a daemon in the test's process.
class WorkspacesCommandTest {

  @TempDir private Path data;
  private Optional<Daemon> daemon = Optional.empty();

  @BeforeEach
  void start() {
    daemon =
        Optional.of(
            Daemon.start(ConfigLoader.load(data, List.of(Source.flags(List.of("grpc_port=0"))))));
  }

  @AfterEach
  void stop() {
    daemon.ifPresent(Daemon::close);
  }

  private record Said(int code, String out, String err) {}

  private Said run(Map<String, String> more, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var screen =
        new Screen(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Optional.empty(),
            false);
    Map<String, String> environment = new HashMap<>(more);
    environment.put("MEMORY_DATA", data.toString());
    int code = new MemoryCommand(screen, environment, config -> {}).execute(args);
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Path file(String word) throws IOException {
    String event =
        """
        {"session_id":"s1","timestamp":"2026-01-30T14:30:00Z","role":"user","text":"About %s."}
        """
            .formatted(word);
    return Files.writeString(data.resolve(word + ".jsonl"), event);
  }

  @Test
  void commands_withAWorkspace_areAboutThatOne() throws IOException {
    run(Map.of(), "ingest", file("all").toString());
    run(Map.of(), "--workspace", "work", "ingest", file("work").toString());
    run(Map.of("MEMORY_WORKSPACE", "play"), "ingest", file("play").toString());
    assertThat(run(Map.of(), "events", "--session", "s1").out()).contains("About all.");
    assertThat(run(Map.of(), "events", "--session", "s1", "--workspace", "work").out())
        .contains("About work.")
        .doesNotContain("About all.");
    assertThat(run(Map.of("MEMORY_WORKSPACE", "play"), "events", "--session", "s1").out())
        .contains("About play.");
  }

  @Test
  void workspaces_areListedWithWhatTheyHold() throws IOException {
    run(Map.of(), "--workspace", "work", "ingest", file("work").toString());
    Said said = run(Map.of(), "workspaces");
    assertThat(said.code()).isEqualTo(Exits.OK);
    assertThat(said.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("WORKSPACE").contains("EVENTS", "LAST USED"),
            line -> assertThat(line).containsPattern("^default +open +0 +0 .* ago$"),
            line -> assertThat(line).containsPattern("^work +open +1 +1 .* ago$"));
  }

  @Test
  void workspace_withANameThatIsNone_isWrongUsage() {
    assertThat(run(Map.of(), "jobs", "--workspace", "../x"))
        .satisfies(said -> {
          assertThat(said.code()).isEqualTo(Exits.USAGE);
          assertThat(said.err()).contains("--workspace: is no name of a workspace");
        });
    assertThat(run(Map.of("MEMORY_WORKSPACE", "A B"), "jobs").err())
        .contains("MEMORY_WORKSPACE: is no name of a workspace");
  }
}
