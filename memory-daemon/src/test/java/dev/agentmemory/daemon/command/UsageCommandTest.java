package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.ModelCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What models have cost, from a real store's ledger through a real daemon.
class UsageCommandTest {

  @TempDir private Path folder;

  private Cli cli;
  private Daemon daemon;

  @BeforeEach
  void start() throws IOException {
    cli = new Cli(folder);
    EngineConfig config = EngineConfig.defaults(cli.data());
    Path place = cli.claimed().resolve("default");
    Instant now = Instant.now();
    try (RocksStore store = RocksStore.open(place, config.storage(), () -> now)) {
      store.commit(
          Commit.of(
              List.of(
                  call("01HN4QXKN6YWXVKZ3JMHP4BCDE", now, ModelCall.Outcome.SUCCESS),
                  call("01HN4QXKN6YWXVKZ3JMHP4BCDF", now, ModelCall.Outcome.TIMEOUT),
                  call(
                      "01HN4QXKN6YWXVKZ3JMHP4BCDG",
                      now.minus(Duration.ofDays(40)),
                      ModelCall.Outcome.SUCCESS))));
    }
    daemon = cli.daemon();
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void usage_text_hasALineForEachDayAndModel_andATotal() {
    assertThat(cli.run("usage").out())
        .containsPattern("day +model +calls +failed +input tokens +output")
        .containsPattern("\\d{4}-\\d\\d-\\d\\d  openai/gpt-4o-mini +2 +1 +3,000 +40\n")
        .containsPattern("all +in 30 days +2 +1 +3,000 +40\n");
    assertThat(cli.run("usage", "--days", "60").out())
        .containsPattern("all +in 60 days +3 +1 +4,500 +60\n");
  }

  @Test
  void usage_json_hasTheSame() throws IOException {
    JsonNode usage = new JsonMapper().readTree(cli.run("usage", "--days=60", "--json").out());

    assertThat(usage.get("model_calls")).hasSize(2);
    assertThat(usage.get("model_calls").get(0).get("model").asText())
        .isEqualTo("openai/gpt-4o-mini");
    assertThat(usage.get("model_calls_total"))
        .hasToString(
            "{\"days\":60,\"calls\":3,\"failed_calls\":1,\"input_tokens\":4500,"
                + "\"output_tokens\":60}");
  }

  @Test
  void usage_daysOutOfRange_areRefusedNamingTheOption() {
    for (String days : List.of("0", "-1", "3661")) {
      Cli.Said said = cli.run("usage", "--days=" + days);
      assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
      assertThat(said.err()).isEqualTo("memory: --days: is " + days + "; expected 1 to 3660\n");
    }
  }

  private static Change call(String id, Instant time, ModelCall.Outcome outcome) {
    return new Change.RecordCall(
        new ModelCall(
            id,
            time,
            "llm_summaries",
            Optional.empty(),
            "openai/gpt-4o-mini",
            1500,
            20,
            Duration.ofSeconds(1),
            outcome));
  }
}
