package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.spool.SpoolFolder;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.spi.SystemServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class SpoolDrainTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  /// More than are read in one step.
  private static final int FILES = 300;

  @TempDir Path data;

  private void put(String prompt, Instant written) throws IOException {
    Path file =
        Files.writeString(
            data.resolve("spool").resolve(prompt + ".hook"),
            ("memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\n\n"
                    + "{\"session_id\":\"s1\",\"prompt_id\":\"%1$s\",\"cwd\":\"/p\",\"prompt\":\"%1$s\"}")
                .formatted(prompt));
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private static String prompt(int number) {
    return "prompt-%03d".formatted(number);
  }

  private final HookCounts counts = new HookCounts();
  private final List<String> stored = new ArrayList<>();

  private SpoolDrain drain(Engine engine) throws IOException {
    var config =
        new HookConfig(
            data, AgentsConfig.DEFAULT, new TranscriptRoots(data.resolve("home"), Map.of()));
    return new SpoolDrain(
        InstantSource.fixed(NOW),
        new SpoolFolder(data.resolve("spool")),
        new HookStore(config, engine.source(), counts),
        counts,
        read -> stored.add(read.capture().prompt().orElseThrow()));
  }

  @Test
  void longSpool_isListedOnce_andThenAgain() throws IOException {
    try (Engine engine =
        Engine.open(SystemServices.ofMachine(), EngineConfig.defaults(data), () -> {})) {
      SpoolDrain drain = drain(engine);
      for (int i = 0; i < FILES; i++) {
        put(prompt(i), NOW);
      }
      assertThat(drain.step()).isEqualTo(Duration.ZERO);
      // A look at all files would find this one first.
      put("older", NOW.minusSeconds(60));
      assertThat(drain.step()).isEqualTo(SpoolDrain.BETWEEN_LOOKS);
      assertThat(stored)
          .containsExactlyElementsOf(
              IntStream.range(0, FILES).mapToObj(SpoolDrainTest::prompt).toList());

      assertThat(drain.step()).isEqualTo(SpoolDrain.BETWEEN_LOOKS);
      assertThat(stored).hasSize(FILES + 1).last().isEqualTo("older");
      assertThat(data.resolve("spool")).isEmptyDirectory();
    }
  }

  @Test
  void fileThatCannotBeRead_waits_andTheOthersAreStored() throws IOException {
    try (Engine engine =
        Engine.open(SystemServices.ofMachine(), EngineConfig.defaults(data), () -> {})) {
      SpoolDrain drain = drain(engine);
      // A torn file cannot be moved there.
      Files.createFile(data.resolve("spool/rejected"));
      Files.writeString(data.resolve("spool/1.hook"), "memory-hook 1\n");
      put("prompt", NOW);
      drain.step();

      assertThat(stored).containsExactly("prompt");
      assertThat(drain.waiting()).isOne();
      assertThat(counts.of(Outcome.WAITING_IN_SPOOL)).isOne();
    }
  }
}
