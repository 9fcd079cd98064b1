package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged daemon with a model behind real HTTP.
class ModelIT {

  private static final String JOB = "llm_summaries";
  private static final String SECRET = "AKIAQ3EGZP7XWN5KD2LM";
  private static final Instant THEN = Instant.parse("2026-01-30T10:00:00Z");
  private static final List<Event> TALK =
      List.of(
          TestEvents.message("talk", THEN, "Which retry policy should the payment worker use?"),
          TestEvents.answer(
              "talk",
              THEN.plusSeconds(60),
              "We use exponential backoff with full jitter for the payment worker."),
          TestEvents.message(
              "talk", THEN.plusSeconds(120), "The old key was " + SECRET + ", fine."));

  @TempDir private Path data;

  /// @param more further settings
  private static String[] settings(StubProvider provider, String... more) {
    return Stream.concat(
            Stream.of("summarizer.provider=openai", "summarizer.api_base_url=" + provider.openAi()),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private static void talk(PackagedDaemon daemon) throws IOException, InterruptedException {
    TALK.forEach(daemon.client.ingest()::append);
    daemon.awaitComplete();
    daemon.client.jobs().run("segment_flush");
    daemon.awaitComplete();
  }

  @Test
  void model_writesBetterWords_countsThem_andNeverSeesASecret()
      throws IOException, InterruptedException {
    try (StubProvider provider = StubProvider.start();
        var daemon = PackagedDaemon.start(data, settings(provider))) {
      talk(daemon);
      assertThat(daemon.client.admin().status().summarizer().nodesWait()).isTrue();

      assertThat(daemon.client.jobs().run(JOB)).doesNotContainEntry("upgraded", "0");

      daemon.awaitComplete();
      SummarizerReport report = daemon.client.admin().status().summarizer();
      assertThat(report.name()).isEqualTo("openai/gpt-4o-mini");
      assertThat(report.nodesWait()).isFalse();
      assertThat(report.spending().orElseThrow().tokensToday()).isPositive();
      assertThat(daemon.client.admin().modelUsage(1).total().calls()).isEqualTo(provider.calls());
      assertThat(provider.requests())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.texts()).noneMatch(t -> t.contains(SECRET)));
      PackagedDaemon.Run toc = PackagedDaemon.run(data, "toc", "toc:day:2026-01-30", "--json");
      assertThat(toc.output()).contains("openai/gpt-4o-mini", "exponential backoff");
      assertThat(PackagedDaemon.run(data, "doctor").exit()).isZero();
    }
  }

  @Test
  void refusedKey_pausesTheJob_alsoOverARestart_andSaysWhatToDo()
      throws IOException, InterruptedException {
    try (StubProvider provider = StubProvider.start()) {
      provider.usually(StubReply.error(401, "no such key"));
      try (var daemon = PackagedDaemon.start(data, settings(provider))) {
        talk(daemon);
        assertThatExceptionOfType(MemoryException.class)
            .isThrownBy(() -> daemon.client.jobs().run(JOB))
            .withMessageContaining("summarizer.api_key_env")
            .extracting(MemoryException::code)
            .isEqualTo(ErrorCode.CONFLICT);
      }
      provider.usually(new StubReply.Sensible());
      try (var daemon = PackagedDaemon.start(data, settings(provider))) {
        PackagedDaemon.Run jobs = PackagedDaemon.run(data, "jobs");
        assertThat(jobs.output()).contains("paused itself", "memory jobs resume " + JOB);
        PackagedDaemon.run(data, "jobs", "resume", JOB);
        daemon.await(
            "better words", () -> !daemon.client.admin().status().summarizer().nodesWait());
      }
    }
  }

  @Test
  void answersThatCannotBeUsed_areToldInWords_andAreNoOutage()
      throws IOException, InterruptedException {
    try (StubProvider provider = StubProvider.start();
        var daemon = PackagedDaemon.start(data, settings(provider))) {
      provider.usually(StubReply.says("I would rather talk about the weather."));
      talk(daemon);
      assertThat(PackagedDaemon.run(data, "jobs", "run", JOB).exit()).isZero();

      String told = "responses of the model were unusable today";
      assertThat(PackagedDaemon.run(data, "status").output()).contains(told, "serving");
      assertThat(PackagedDaemon.run(data, "jobs").output()).contains("PROBLEM: ");
      PackagedDaemon.Run doctor = PackagedDaemon.run(data, "doctor");
      assertThat(doctor.exit()).isEqualTo(1);
      assertThat(doctor.output()).contains("BAD problem", "were unusable");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void budgetThatIsUsedUp_isToldAsTheLastError_andIsNoFailure()
      throws IOException, InterruptedException {
    try (StubProvider provider = StubProvider.start();
        var daemon =
            PackagedDaemon.start(data, settings(provider, "summarizer.daily_token_budget=2000"))) {
      talk(daemon);
      PackagedDaemon.Run run = PackagedDaemon.run(data, "jobs", "run", JOB);
      assertThat(run.exit()).as(run.output()).isZero();
      assertThat(PackagedDaemon.run(data, "jobs").output().replaceAll("\\s+", " "))
          .contains("waiting: today's token budget is used up");
      assertThat(PackagedDaemon.run(data, "doctor").exit()).isZero();
    }
  }

  @Test
  void outage_isToldAsOne_andLosesNothing() throws IOException, InterruptedException {
    try (StubProvider provider = StubProvider.start();
        var daemon = PackagedDaemon.start(data, settings(provider))) {
      provider.usually(StubReply.error(429, "slow down", Map.of("Retry-After", "3600")));
      talk(daemon);
      PackagedDaemon.Run run = PackagedDaemon.run(data, "jobs", "run", JOB);
      assertThat(run.exit()).isNotZero();
      assertThat(run.output()).contains("429").doesNotContain("incident");
      assertThat(daemon.client.admin().status().summarizer().waitsFor()).isPresent();
      assertThat(daemon.client.admin().status().summarizer().nodesWait()).isTrue();
    }
  }

  @Test
  void modelThatRefinesExtraction_decidesWhatIsKept_andItsCallIsCounted()
      throws IOException, InterruptedException {
    String quote = "We use exponential backoff with full jitter for the payment worker.";
    try (StubProvider provider = StubProvider.start();
        var daemon =
            PackagedDaemon.start(data, settings(provider, "recall.extraction.refine=true"))) {
      daemon.client.jobs().pause(JOB);
      provider.usually(
          StubReply.says(
              "{\"keep\":[],\"add\":[{\"turn\":2,\"quote\":\"%s\",\"kind\":\"finding\",\"importance\":0.9}]}"
                  .formatted(quote)));
      talk(daemon);
      daemon.await("a memory", () -> daemon.client.recall().memories().stats().total() > 0);

      PackagedDaemon.Run memories = PackagedDaemon.run(data, "memories", "list", "--json");
      assertThat(memories.output()).contains(quote, "\"finding\"", "\"extraction\"", "0.9");
      assertThat(provider.requests())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.texts()).noneMatch(t -> t.contains(SECRET)));
      assertThat(daemon.client.admin().modelUsage(1).total().calls()).isEqualTo(provider.calls());
    }
  }

  @Test
  void modelThatRefinesOrientation_choosesItsMemories_andWithoutAnAnswerTheyAllStay()
      throws IOException, InterruptedException {
    String backoff = "The payment worker uses exponential backoff.";
    String port = "The payment worker listens on port 7001.";
    try (StubProvider provider = StubProvider.start();
        var daemon =
            PackagedDaemon.start(
                data,
                settings(
                    provider, "recall.orient.refine=true", "recall.orient.refine_timeout=30s"))) {
      PackagedDaemon.run(data, "remember", backoff);
      PackagedDaemon.run(data, "remember", port);
      provider.usually(StubReply.error(500, "out of order"));
      PackagedDaemon.Run plain = PackagedDaemon.run(data, "orient", "payment worker");
      assertThat(plain.output()).contains(backoff, port);

      provider.usually(StubReply.says("{\"lines\":[1]}"));
      PackagedDaemon.Run refined = PackagedDaemon.run(data, "orient", "payment worker");
      assertThat(List.of(backoff, port)).filteredOn(refined.output()::contains).hasSize(1);
      assertThat(daemon.client.admin().modelUsage(1).total())
          .satisfies(sums -> assertThat(sums.calls()).isEqualTo(provider.calls()))
          .satisfies(sums -> assertThat(sums.failedCalls()).isEqualTo(1));
    }
  }
}
