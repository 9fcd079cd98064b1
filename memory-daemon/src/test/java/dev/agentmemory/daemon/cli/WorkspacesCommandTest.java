package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that are about one workspace of several, against a daemon in the test's process.
class WorkspacesCommandTest {

  @TempDir private Path folder;
  private Optional<Daemon> daemon = Optional.empty();

  @BeforeEach
  void start() {
    daemon = Optional.of(new Cli(folder).daemon());
  }

  @AfterEach
  void stop() {
    daemon.ifPresent(Daemon::close);
  }

  private Cli.Said run(String... args) {
    return new Cli(folder).run(args);
  }

  private Cli in(String workspace) {
    return new Cli(folder, Optional.empty(), Map.of("MEMORY_WORKSPACE", workspace));
  }

  private String file(String word) throws IOException {
    String event =
        """
        {"session_id":"s1","timestamp":"2026-01-30T14:30:00Z","role":"user","text":"About %s."}
        """
            .formatted(word);
    return Files.writeString(folder.resolve(word + ".jsonl"), event).toString();
  }

  @Test
  void commands_withAWorkspace_areAboutThatOne() throws IOException {
    run("ingest", file("all"));
    run("--workspace", "work", "ingest", file("work"));
    in("play").run("ingest", file("play"));
    assertThat(run("events", "--session", "s1").out()).contains("About all.");
    assertThat(run("events", "--session", "s1", "--workspace", "work").out())
        .contains("About work.")
        .doesNotContain("About all.");
    assertThat(in("play").run("events", "--session", "s1").out()).contains("About play.");
  }

  @Test
  void workspaces_areListedWithWhatTheyHold() throws IOException {
    run("--workspace", "work", "ingest", file("work"));
    Cli.Said said = run("workspaces");
    assertThat(said.code()).isEqualTo(Exits.OK);
    assertThat(said.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("WORKSPACE").contains("EVENTS", "LAST USED"),
            line -> assertThat(line).containsPattern("^default +open +0 +0 .* ago$"),
            line -> assertThat(line).containsPattern("^work +open +1 +1 .* ago$"));
    JsonNode listed = new JsonMapper().readTree(run("workspaces", "--json").out());
    JsonNode work = listed.path("workspaces").path(1);
    assertThat(work.path("name").asText()).isEqualTo("work");
    assertThat(work.path("events").asLong()).isEqualTo(1);
    assertThat(work.path("problem").isNull()).isTrue();
  }

  @Test
  void workspace_withANameThatIsNone_isWrongUsage() {
    Cli.Said flag = run("jobs", "--workspace", "../x");
    assertThat(flag.code()).isEqualTo(Exits.USAGE);
    assertThat(flag.err()).contains("--workspace: is no name of a workspace");
    assertThat(in("A B").run("jobs").err()).contains("MEMORY_WORKSPACE: is no name of a workspace");
  }
}
