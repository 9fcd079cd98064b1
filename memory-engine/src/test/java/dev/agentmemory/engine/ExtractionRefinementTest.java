package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.internal.recall.ExtractionJob;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Extraction with a model, from the log of an engine over HTTP to memories.
@Tag("slow")
class ExtractionRefinementTest {

  private static final String POSTGRES = "We decided to use Postgres for the billing service.";
  private static final String NIGHTLY = "Die Rechnungen laufen ab jetzt nachts.";

  private static final List<Event> TALK =
      List.of(
          TestEvents.message("s", TestEvents.START, POSTGRES),
          TestEvents.answer("s", TestEvents.START.plusSeconds(9), NIGHTLY),
          TestEvents.end("s", TestEvents.START.plusSeconds(60)));

  @TempDir private Path data;
  private final StubProvider provider = StubProvider.start();

  @AfterEach
  void close() {
    provider.close();
  }

  private EngineConfig config(boolean refine) {
    EngineConfig plain = TestConfig.plain(data);
    var summarizer =
        SummarizerConfig.from(
            SettingReader.of(
                Map.of(
                    "summarizer.provider",
                    "openai",
                    "summarizer.api_base_url",
                    provider.openAi().toString())));
    return new EngineConfig(
        plain.data(),
        plain.db(),
        plain.segmentation(),
        plain.rollupDebounce(),
        plain.ingest(),
        plain.storage(),
        plain.database(),
        plain.workspaces(),
        summarizer,
        plain.embedding(),
        plain.jobs(),
        plain.backup(),
        plain.retention(),
        RecallConfig.from(
            SettingReader.of(Map.of("recall.extraction.refine", Boolean.toString(refine)))));
  }

  private void with(boolean refine, Consumer<Memory> use) {
    try (Engine engine = Engine.open(SystemServices.ofMachine(), config(refine), () -> {});
        WorkspaceSource.Lease lease = engine.source().lease(Optional.empty(), Access.READ).join()) {
      Memory memory = lease.memory();
      // The test runs them itself, so that no request comes from elsewhere.
      memory.jobs().pause(ExtractionJob.NAME);
      memory.jobs().pause("llm_summaries");
      use.accept(memory);
    }
  }

  private static void talk(Memory memory) {
    assertThat(memory.ingest().append(TALK).join()).hasSize(3);
    Await.until("the contents", () -> memory.admin().status().tocComplete());
  }

  private static Map<String, String> run(Memory memory) {
    return memory.jobs().run(ExtractionJob.NAME);
  }

  private static List<String> texts(Memory memory) {
    return memory
        .recall()
        .memories()
        .list(MemoryFilter.NONE, PageRequest.first())
        .page()
        .items()
        .stream()
        .map(MemoryRecord::content)
        .map(content -> content.text())
        .toList();
  }

  @Test
  void consolidation_extractsWhatNoSegmentHas_unlessExtractionIsPaused() {
    with(
        /* refine= */ false,
        memory -> {
          memory.jobs().pause("toc_projection");
          assertThat(memory.ingest().append(TALK).join()).hasSize(3);
          assertThat(run(memory)).containsEntry("segments", "0");
          var _ = memory.jobs().run("consolidation");
          assertThat(texts(memory)).isEmpty();

          memory.jobs().resume(ExtractionJob.NAME);
          var _ = memory.jobs().run("consolidation");
          assertThat(texts(memory)).isNotEmpty();
        });
  }

  @Test
  void model_decidesOnce_alsoAfterARebuildAndInLaterEngines() {
    provider.script(
        StubReply.says(
            "{\"keep\":[],\"add\":[{\"turn\":2,\"quote\":\"%s\",\"kind\":\"decision\",\"importance\":0.6},"
                    .formatted(NIGHTLY)
                + "{\"turn\":1,\"quote\":\"We use Oracle.\",\"kind\":\"finding\",\"importance\":1}]}"));
    with(
        /* refine= */ true,
        memory -> {
          talk(memory);
          assertThat(run(memory))
              .containsEntry("memories", "1")
              .containsEntry("asked", "1")
              .containsEntry("unanswered", "0")
              .containsEntry("dropped", "1");
          assertThat(texts(memory)).containsExactly(NIGHTLY);
          assertThat(memory.admin().status().summarizer().spending().orElseThrow().tokensToday())
              .isPositive();

          var _ = memory.admin().rebuildToc();
          assertThat(run(memory)).containsEntry("asked", "0").containsEntry("memories", "0");
          assertThat(memory.admin().verify(0)).isEmpty();
        });
    with(
        /* refine= */ false,
        memory -> {
          assertThat(run(memory)).doesNotContainKey("asked").containsEntry("memories", "0");
          assertThat(texts(memory)).containsExactly(NIGHTLY);
        });
    assertThat(provider.calls()).isEqualTo(1);
  }

  @Test
  void providerThatRefuses_leavesTheRules_andIsAProblem() {
    provider.usually(StubReply.error(401, "Incorrect API key provided"));
    with(
        /* refine= */ true,
        memory -> {
          talk(memory);
          assertThat(run(memory)).containsEntry("asked", "1").containsEntry("unanswered", "1");
          assertThat(texts(memory)).containsExactly(POSTGRES);
          assertThat(memory.admin().status().problems())
              .anyMatch(
                  problem -> problem.startsWith("memories are extracted by rules only until"));
        });
  }

  @Test
  void defaultConfiguration_asksNothing() {
    with(
        /* refine= */ false,
        memory -> {
          talk(memory);
          assertThat(run(memory)).containsOnlyKeys("segments", "memories");
          assertThat(texts(memory)).containsExactly(POSTGRES);
        });
    assertThat(provider.calls()).isZero();
  }
}
