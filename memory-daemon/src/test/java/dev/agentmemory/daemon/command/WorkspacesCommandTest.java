package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.terminal.Confirmation;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that are about one workspace of several, against a daemon in the test's process.
@Tag("slow")
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
  void backup_ofSeveralWorkspaces_isOfThoseOnly() throws IOException {
    for (String name : List.of("work", "play", "rest")) {
      run("--workspace", name, "ingest", file(name));
    }
    String backups = folder.resolve("backups").toString();
    Cli.Said said = run("backup", backups, "--workspace", "work", "--workspace", "play");
    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .anyMatch(line -> line.startsWith("work "))
        .anyMatch(line -> line.startsWith("play "))
        .noneMatch(line -> line.startsWith("rest ") || line.startsWith("default "));
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void workspaces_areListedWithWhatTheyHold() throws IOException {
    run("--workspace", "work", "ingest", file("work"));
    Cli.Said said = run("workspaces");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
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
    assertThat(flag.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(flag.err()).contains("--workspace: is not a workspace name");
    assertThat(in("A B").run("jobs").err()).contains("MEMORY_WORKSPACE: is not a workspace name");
  }

  @Test
  void workspace_isCreatedAndDeletedByCommand() throws IOException {
    assertThat(run("workspaces", "create", "work").out()).isEqualTo("workspace work is created\n");
    assertThat(run("workspaces", "create", "work").out())
        .isEqualTo("workspace work already exists\n");
    run("--workspace", "work", "ingest", file("work"));
    Cli.Said unasked = run("workspaces", "delete", "work");
    assertThat(unasked.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(unasked.err()).contains("--yes: is required");
    assertThat(run("workspaces").out()).contains("work");
    Cli.Said deleted = run("workspaces", "delete", "work", "--yes", "--json");
    assertThat(deleted.code()).isEqualTo(ExitCodes.OK);
    assertThat(new JsonMapper().readTree(deleted.out()).path("deleted").asBoolean()).isTrue();
    Cli.Said again = run("workspaces", "delete", "work", "--yes");
    assertThat(again.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(again.err()).contains("there is no workspace work");
  }

  @Test
  void commandsThatRead_ofAnUnknownWorkspace_fail_andMakeNone() {
    for (String command : List.of("toc", "sessions", "status", "usage", "jobs")) {
      Cli.Said said = run(command, "--workspace", "typo");
      assertThat(said.code()).as(command).isEqualTo(ExitCodes.FAILED);
      assertThat(said.err()).contains("there is no workspace typo");
    }
    assertThat(run("workspaces").out()).doesNotContain("typo");
  }

  @Test
  void confirmation_isGivenByYesOnly() {
    assertThat(Stream.of("y", "Y", " yes ").map(Optional::of).allMatch(Confirmation::isYes))
        .isTrue();
    assertThat(
            Stream.of(
                    Optional.of(""), Optional.of("n"), Optional.of("yep"), Optional.<String>empty())
                .noneMatch(Confirmation::isYes))
        .isTrue();
  }
}
