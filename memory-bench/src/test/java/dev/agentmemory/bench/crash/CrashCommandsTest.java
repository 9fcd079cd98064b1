package dev.agentmemory.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CrashCommandsTest {

  @TempDir Path folder;

  @Test
  void acknowledged_counts_areThoseStoredAndKnown() {
    assertThat(CrashCommands.acknowledged("{\"stored\": 7, \"known\": 2, \"refused\": 1}"))
        .hasValue(9);
  }

  @Test
  void acknowledged_noCounts_isUnknown() {
    assertThat(CrashCommands.acknowledged("")).isEmpty();
    assertThat(CrashCommands.acknowledged("memory: no daemon answers")).isEmpty();
    assertThat(CrashCommands.acknowledged("{\"error\": \"no\"}")).isEmpty();
  }

  @Test
  void line_ofAnEvent_namesItsId() throws Exception {
    Event event = new CrashEvents(1).event(3);

    JsonNode line = new ObjectMapper().readTree(EventFiles.line(event));

    assertThat(line.path("event_id").asText()).isEqualTo(event.id().value());
    assertThat(line.path("timestamp_ms").asLong()).isEqualTo(event.timestamp().toEpochMilli());
    assertThat(EventFiles.line(event)).doesNotContain("\n");
  }

  @Test
  void same_otherText_isNot() {
    Event event = WorkDay.event(3);

    assertThat(DaemonContents.same(event, WorkDay.event(3))).isTrue();
    assertThat(DaemonContents.same(event, Talk.saying(event, "more"))).isFalse();
    assertThat(DaemonContents.same(event, null)).isFalse();
  }

  @Test
  void run_command_tellsStatusAndBothOutputs() throws Exception {
    Commands.Ran ran =
        Commands.run("sh", folder.resolve("x"), "-c", "echo one; echo two >&2; exit 3");

    assertThat(ran).isEqualTo(new Commands.Ran(3, "one\n", "two\n"));
  }
}
