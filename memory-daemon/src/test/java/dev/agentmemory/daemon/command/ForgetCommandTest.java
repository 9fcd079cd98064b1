package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is forgotten of a real daemon, and what its receipt says of files outside the store.
@Tag("slow")
class ForgetCommandTest {

  @TempDir private Path folder;
  private Cli cli;
  private Daemon daemon;
  private Path torn;

  @BeforeEach
  void start() throws IOException {
    cli = new Cli(folder);
    daemon = cli.daemon("search.embeddings=none");
    Path rejected = Files.createDirectories(cli.data().resolve("spool/rejected"));
    torn =
        Files.writeString(
            rejected.resolve("1-a.hook"),
            "memory-hook 1\nagent=claude-code\n\n{\"session_id\":\"s1\",\"prompt\":\"half");
    Files.createDirectories(rejected.resolve("2-a.hook"));
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private String said(String... arguments) {
    Cli.Said said = cli.run(arguments);
    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.OK);
    return said.out();
  }

  @Test
  void receipt_countsFiles_andSaysWhatIsLeft() {
    String planned = said("forget", "--session", "s1", "--dry-run");
    assertThat(torn).exists();
    String receipt = said("forget", "--session", "s1", "--yes");
    String nothing = said("forget", "--session", "s1", "--yes");

    assertThat(planned).contains("1 outside the store", "Nothing was erased.");
    assertThat(receipt).contains("1 outside the store").doesNotContain("Nothing was erased.");
    assertThat(torn).doesNotExist();
    assertThat(nothing).contains("nothing to erase");
    for (String each : new String[] {planned, receipt, nothing}) {
      assertThat(each).containsPattern("left +spool/rejected/2-a.hook cannot be read or deleted");
    }
  }

  @Test
  void receiptInJson_hasFilesAndWhatIsLeft() throws IOException {
    JsonNode receipt =
        new JsonMapper().readTree(said("forget", "--session", "s1", "--yes", "--json"));

    assertThat(receipt.path("erased").asBoolean()).isTrue();
    assertThat(receipt.path("erasure_id").asText()).isNotEmpty();
    assertThat(receipt.path("files").asInt()).isOne();
    assertThat(receipt.path("left")).hasSize(1);
  }
}
