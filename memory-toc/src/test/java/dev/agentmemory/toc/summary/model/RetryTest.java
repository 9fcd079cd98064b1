package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.testkit.provider.Reply;
import dev.agentmemory.toc.internal.check.Answers;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is tried again, how long is waited, and what is given up.
class RetryTest {

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  private ModelException failure() {
    return failure(asking.openAi());
  }

  private static ModelException failure(ModelSummarizer summarizer) {
    return catchThrowableOfType(
        ModelException.class, () -> summarizer.about(Said.move().passage()).ask(Asking.ANY));
  }

  private static Reply busy(String retryAfter) {
    return Reply.error(429, "slow down", Map.of("Retry-After", retryAfter));
  }

  @Test
  void tooManyRequests_withSeconds_waitsThatLongAndAsksAgain() {
    asking.provider.script(busy("7"), Reply.says(Answers.move()));
    ModelAnswer<?> asked = asking.openAi().about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asked.answer()).isPresent();
    assertThat(asking.pauses).containsExactly(Duration.ofSeconds(7));
    assertThat(asked.calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.FAILED, Outcome.SUCCESS);
    assertThat(asked.calls().getFirst().inputTokens()).isZero();
  }

  @Test
  void tooManyRequests_withDate_waitsUntilThen() {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Asking.NOW.plusSeconds(11).atOffset(ZoneOffset.UTC));
    asking.provider.script(busy(date), Reply.says(Answers.move()));
    asking.openAi().about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asking.pauses).containsExactly(Duration.ofSeconds(11));
  }

  @Test
  void tooManyRequests_withMoreThanACallMayWait_isGivenUpAndSaysHowLong() {
    asking.provider.script(busy("3600"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure.retryAfter()).contains(Duration.ofHours(1));
    assertThat(asking.pauses).isEmpty();
    assertThat(asking.provider.calls()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-5", "", "1e9", "99999999999999999999"})
  void tooManyRequests_withNonsense_backsOffAsUsual(String header) {
    asking.provider.script(busy(header), Reply.says(Answers.move()));
    assertThat(asking.openAi().about(Said.move().passage()).ask(Asking.ANY).answer()).isPresent();
    assertThat(asking.pauses).hasSize(1);
    assertThat(asking.pauses.getFirst()).isBetween(Duration.ZERO, Duration.ofSeconds(2));
  }

  @Test
  void retryAfter_ofYears_isTakenForADay() {
    assertThat(RetryAfter.read("999999999", Asking.NOW)).contains(Duration.ofDays(1));
    assertThat(RetryAfter.read("Fri, 30 Jan 2026 14:29:00 GMT", Asking.NOW))
        .contains(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 529})
  void serverError_thatStays_isTriedThreeTimes(int status) {
    asking.provider.usually(Reply.error(status, "overloaded"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("" + status).hasMessageContaining("3 attempts");
    assertThat(failure.calls()).hasSize(3);
    assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.FAILED);
    assertThat(asking.provider.calls()).isEqualTo(3);
    assertThat(asking.pauses).hasSize(2);
    assertThat(asking.pauses.get(0)).isBetween(Duration.ZERO, Duration.ofSeconds(2));
    assertThat(asking.pauses.get(1)).isBetween(Duration.ZERO, Duration.ofSeconds(4));
  }

  @Test
  void serverError_thatPasses_isForgotten() {
    asking.provider.script(
        Reply.error(500, "oops"), Reply.error(503, "oops"), Reply.says(Answers.move()));
    assertThat(asking.openAi().about(Said.move().passage()).ask(Asking.ANY).answer()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 402, 403, 404, 418, 302})
  void refusal_isFinalAndSaysWhatToDo(int status) {
    asking.provider.usually(Reply.error(status, "no"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.REFUSED);
    assertThat(asking.pauses).isEmpty();
    assertThat(failure).hasMessageContaining("openai/small-1").hasMessageContaining("" + status);
    assertThat(asking.provider.calls()).isEqualTo(1);
  }

  @Test
  void refusal_namesTheSettingsThatMayBeWrong() {
    asking.provider.script(Reply.error(401, "no"), Reply.error(404, "no such model"));
    assertThat(failure()).hasMessageContaining("summarizer.api_key_env");
    assertThat(failure()).hasMessageContaining("summarizer.model");
    asking.provider.script(Reply.error(404, "model 'small-1' not found"));
    assertThat(failure(asking.of(Provider.OLLAMA, Optional.empty())))
        .hasMessageContaining("ollama pull");
  }

  @Test
  void quota_thatIsSpent_isNotAskedAgain() {
    asking.provider.script(
        new Reply.Plain(
            429,
            Map.of(),
            "{\"error\":{\"message\":\"You exceeded your quota\",\"code\":\"insufficient_quota\"}}"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("quota");
    assertThat(asking.provider.calls()).isEqualTo(1);
  }

  @Test
  void hang_pastTheTimeout_isTriedAgainAndCounted() {
    asking.timeout(Duration.ofMillis(300)).provider.script(new Reply.Hang(), new Reply.Stall());
    asking.provider.usually(Reply.says(Answers.move()));
    ModelAnswer<?> asked = asking.openAi().about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asked.answer()).isPresent();
    assertThat(asked.calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.TIMEOUT, Outcome.TIMEOUT, Outcome.SUCCESS);
    // A provider may bill what it was slow to answer.
    assertThat(asked.calls().getFirst().inputTokens()).isPositive();
  }

  @Test
  void hang_thatStays_isUnavailable() {
    asking.timeout(Duration.ofMillis(100)).provider.usually(new Reply.Hang());
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("100 ms").hasMessageContaining("summarizer.timeout");
  }

  @Test
  void connection_thatBreaksOrIsRefused_isUnavailable() {
    asking.provider.usually(new Reply.Break());
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    ModelSummarizer summarizer = asking.openAi();
    asking.provider.close();
    ModelException failure = failure(summarizer);
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("could not be reached");
    assertThat(failure.calls()).hasSize(3);
  }

  @Test
  void interrupt_whileWaiting_endsTheCallAndStaysSet() {
    asking.provider.usually(Reply.error(503, "busy"));
    var config =
        new ModelConfig(
            Provider.OPENAI,
            "small-1",
            Optional.of(asking.provider.openAi()),
            Optional.empty(),
            Duration.ofSeconds(20),
            500,
            Optional.empty(),
            8192);
    Pause interrupted =
        _ -> {
          throw new InterruptedException();
        };
    try (var summarizer =
        new ModelSummarizer(
            () -> Asking.NOW, config, String::length, text -> text, interrupted, new Random(1))) {
      ModelException failure = failure(summarizer);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(failure.kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
      assertThat(failure.calls()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 422})
  void refusal_ofThisRequest_isNoReasonToRefuseOthers(int status) {
    for (String said :
        List.of(
            "The response was filtered due to the prompt triggering our content management policy",
            "This model's maximum context length is 8192 tokens",
            "input is not acceptable")) {
      asking.provider.usually(Reply.error(status, said));
      ModelException failure = failure();
      assertThat(failure.kind()).as(said).isEqualTo(ModelException.Kind.UNANSWERABLE);
      assertThat(failure).hasMessageContaining(said.substring(0, 20));
      assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.REFUSED);
      assertThat(asking.pauses).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The model small-1 does not exist",
        "Invalid API key",
        "Your credit balance is too low",
        "max_tokens is too large"
      })
  void refusal_ofASetting_isFinal(String said) {
    asking.provider.usually(Reply.error(400, said));
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.REFUSED);
  }

  @Test
  void refusal_ofAText_costsNoSecondRequest() {
    asking.provider.usually(Reply.error(400, "prompt is too long: 9000 tokens"));
    assertThat(failure().calls()).hasSize(1);
  }

  @Test
  void interrupt_ofARequestThatWasSent_countsIt() {
    asking.provider.usually(new Reply.Hang());
    Thread asker = Thread.currentThread();
    Thread interrupter =
        Thread.ofVirtual()
            .start(() -> {
              while (asking.provider.calls() == 0) {
                Thread.onSpinWait();
              }
              asker.interrupt();
            });
    ModelException failure = failure();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupter.isInterrupted()).isFalse();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
    assertThat(failure.calls()).hasSize(1);
    assertThat(failure.calls().getFirst().inputTokens()).isPositive();
  }

  @Test
  void interrupt_beforeAnythingWasSent_costsNothing() {
    Thread.currentThread().interrupt();
    ModelException failure = failure();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
    assertThat(failure.calls()).isEmpty();
    assertThat(asking.provider.calls()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void answer_thatNoModelGave_isUnavailable(Provider kind) {
    for (String body :
        List.of(
            "<html>Sign in</html>",
            "{\"error\":{\"message\":\"no\"}}",
            "{\"error\":\"no\"}",
            "{\"choices\":[",
            "{}",
            "[]",
            "null",
            "")) {
      asking.provider.usually(new Reply.Plain(200, Map.of(), body));
      ModelException failure = failure(asking.of(kind, Optional.of(Asking.KEY)));
      assertThat(failure).as(body).isNotNull();
      assertThat(failure.kind()).as(body).isEqualTo(ModelException.Kind.UNAVAILABLE);
      assertThat(failure)
          .hasMessageContaining("3 attempts")
          .hasMessageContaining("summarizer.api_base_url");
      assertThat(failure.calls())
          .as(body)
          .hasSize(3)
          .allMatch(call -> call.inputTokens() > 0)
          .extracting(Attempted::outcome)
          .containsOnly(Outcome.FAILED);
    }
  }

  @Test
  void answer_ofHugeSize_isCutOffAndUnavailable() {
    asking.provider.usually(Reply.says("x".repeat(3_000_000)));
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
  }

  /// What a question about the passage may take, at most so many requests.
  private static LongPredicate requests(PricedRequest<?> question, int most) {
    var asked = new AtomicInteger(1);
    return tokens -> {
      assertThat(tokens).isGreaterThanOrEqualTo(question.estimate());
      return asked.incrementAndGet() <= most;
    };
  }

  @Test
  void everyRequestButTheFirst_hasToBeAffordable() {
    PricedRequest<?> question = asking.openAi().about(Said.move().passage());
    for (Reply reply :
        List.of(
            Reply.error(503, "busy"),
            Reply.error(400, "no response_format here"),
            Reply.says("no JSON"))) {
      asking.provider.usually(reply);
      long before = asking.provider.calls();
      ModelException failure =
          catchThrowableOfType(
              ModelException.class,
              () -> asking.openAi().about(Said.move().passage()).ask(requests(question, 1)));
      assertThat(failure.kind()).as("%s", reply).isEqualTo(ModelException.Kind.UNAFFORDABLE);
      assertThat(failure.calls()).hasSize(1);
      assertThat(failure).hasMessageContaining("summarizer.daily_token_budget");
      assertThat(asking.provider.calls() - before).isEqualTo(1);
    }
    assertThat(asking.pauses).isEmpty();
  }

  @Test
  void affordable_isToldWhatTheQuestionTakesInAll() {
    asking.provider.script(Reply.says("no JSON"), Reply.says(Answers.move()));
    var told = new ArrayList<Long>();
    PricedRequest<?> question = asking.openAi().about(Said.move().passage());
    ModelAnswer<?> asked =
        question.ask(tokens -> {
          told.add(tokens);
          return true;
        });
    Attempted first = asked.calls().getFirst();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst() - first.inputTokens() - first.outputTokens())
        .isBetween(question.estimate(), question.estimate() + 60);
  }

  @Test
  void check_thatStumbles_losesNoCall() {
    asking.provider.script(Reply.says(Answers.move()));
    try (var line = asking.line()) {
      var question =
          new Inquiry<String>(
              line,
              asking.window(),
              new Prompt("system", "user"),
              _ -> {
                throw new IllegalStateException("stumbled");
              });
      ModelAnswer<String> asked = question.ask(Asking.ANY);
      assertThat(asked.answer()).isEmpty();
      assertThat(asked.unsupported()).isEqualTo(2);
      assertThat(asked.calls()).extracting(Attempted::outcome).containsExactly(Outcome.UNSUPPORTED);
    }
  }
}
