package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command over stores that are missing, used and at rest.
class MigrateCommandTest {

  @TempDir private Path folder;

  @Test
  void migrate_noStore_isToldAndMakesNone() {
    var cli = new Cli(folder);
    Cli.Said said = cli.run("migrate");
    assertThat(said.code()).isEqualTo(Exits.FAILED);
    assertThat(said.err()).startsWith("memory: there is no store in ");
    assertThat(cli.data()).doesNotExist();
  }

  @Test
  void migrate_storeInUse_isRefused() {
    var cli = new Cli(folder);
    try (Daemon daemon = cli.daemon()) {
      assertThat(daemon.port()).isPositive();
      assertThat(cli.run("migrate", "--dry-run").code()).isEqualTo(Exits.FAILED);
    }
  }

  @Test
  void migrate_newestFormat_hasNothingToDo() throws IOException {
    var cli = new Cli(folder);
    cli.daemon().close();
    JsonNode done = new JsonMapper().readTree(cli.run("migrate", "--dry-run", "--json").out());
    assertThat(done.get("dry_run").asBoolean()).isTrue();
    JsonNode store = done.get("stores").get(0);
    assertThat(store.get("workspace").asText()).isEqualTo("default");
    assertThat(store.get("from")).isEqualTo(store.get("to"));
    assertThat(store.get("old").asLong()).isZero();
    assertThat(cli.run("migrate"))
        .isEqualTo(
            new Cli.Said(
                0, "default            all rows have format " + store.get("to") + "\n", ""));
  }
}
