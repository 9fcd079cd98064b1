package dev.agentmemory.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is tried again, how long is waited, and what is given up.
class RetryTest {

  private static final StubReply ANSWER = StubReply.says("yes");

  private final ChatFixture chat = new ChatFixture();

  @AfterEach
  void close() {
    chat.close();
  }

  private ModelException failure() {
    return failure(chat.openAi());
  }

  private static ModelException failure(ChatClient client) {
    return catchThrowableOfType(ModelException.class, () -> ChatFixture.ask(client));
  }

  private static StubReply busy(String retryAfter) {
    return StubReply.error(429, "slow down", Map.of("Retry-After", retryAfter));
  }

  @Test
  void tooManyRequests_withSeconds_waitsThatLongAndAsksAgain() {
    chat.provider.script(busy("7"), ANSWER);
    ChatFixture.Asked asked = ChatFixture.ask(chat.openAi());
    assertThat(asked.reply().text()).isEqualTo("yes");
    assertThat(chat.pauses).containsExactly(Duration.ofSeconds(7));
    assertThat(asked.calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.FAILED, Outcome.SUCCESS);
    assertThat(asked.calls().getFirst().inputTokens()).isZero();
  }

  @Test
  void tooManyRequests_withDate_waitsUntilThen() {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            ChatFixture.NOW.plusSeconds(11).atOffset(ZoneOffset.UTC));
    chat.provider.script(busy(date), ANSWER);
    ChatFixture.ask(chat.openAi());
    assertThat(chat.pauses).containsExactly(Duration.ofSeconds(11));
  }

  @Test
  void tooManyRequests_withMoreThanACallMayWait_isGivenUpAndSaysHowLong() {
    chat.provider.script(busy("3600"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure.retryAfter()).contains(Duration.ofHours(1));
    assertThat(chat.pauses).isEmpty();
    assertThat(chat.provider.calls()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-5", "", "1e9", "99999999999999999999"})
  void tooManyRequests_withNonsense_backsOffAsUsual(String header) {
    chat.provider.script(busy(header), ANSWER);
    assertThat(ChatFixture.ask(chat.openAi()).reply().text()).isEqualTo("yes");
    assertThat(chat.pauses).hasSize(1);
    assertThat(chat.pauses.getFirst()).isBetween(Duration.ZERO, Duration.ofSeconds(2));
  }

  @Test
  void retryAfter_ofYears_isTakenForADay() {
    assertThat(RetryAfter.read("999999999", ChatFixture.NOW)).contains(Duration.ofDays(1));
    assertThat(RetryAfter.read("Fri, 30 Jan 2026 14:29:00 GMT", ChatFixture.NOW))
        .contains(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 529})
  void serverError_thatStays_isTriedThreeTimes(int status) {
    chat.provider.usually(StubReply.error(status, "overloaded"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("" + status).hasMessageContaining("3 attempts");
    assertThat(failure.calls()).hasSize(3);
    assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.FAILED);
    assertThat(chat.provider.calls()).isEqualTo(3);
    assertThat(chat.pauses).hasSize(2);
    assertThat(chat.pauses.get(0)).isBetween(Duration.ZERO, Duration.ofSeconds(2));
    assertThat(chat.pauses.get(1)).isBetween(Duration.ZERO, Duration.ofSeconds(4));
  }

  @Test
  void serverError_thatPasses_isForgotten() {
    chat.provider.script(StubReply.error(500, "oops"), StubReply.error(503, "oops"), ANSWER);
    assertThat(ChatFixture.ask(chat.openAi()).reply().text()).isEqualTo("yes");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 402, 403, 404, 418, 302})
  void refusal_isFinalAndSaysWhatToDo(int status) {
    chat.provider.usually(StubReply.error(status, "no"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.REFUSED);
    assertThat(chat.pauses).isEmpty();
    assertThat(failure).hasMessageContaining("openai/small-1").hasMessageContaining("" + status);
    assertThat(chat.provider.calls()).isEqualTo(1);
  }

  @Test
  void refusal_namesTheSettingsThatMayBeWrong() {
    chat.provider.script(StubReply.error(401, "no"), StubReply.error(404, "no such model"));
    assertThat(failure()).hasMessageContaining("summarizer.api_key_env");
    assertThat(failure()).hasMessageContaining("summarizer.model");
    chat.provider.script(StubReply.error(404, "model 'small-1' not found"));
    assertThat(failure(chat.client(Provider.OLLAMA))).hasMessageContaining("ollama pull");
  }

  @Test
  void quota_thatIsSpent_isNotAskedAgain() {
    chat.provider.script(
        new StubReply.Plain(
            429,
            Map.of(),
            "{\"error\":{\"message\":\"You exceeded your quota\",\"code\":\"insufficient_quota\"}}"));
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("quota");
    assertThat(chat.provider.calls()).isEqualTo(1);
  }

  @Test
  void hang_pastTheTimeout_isTriedAgainAndCounted() {
    chat.timeout(Duration.ofMillis(300))
        .provider
        .script(new StubReply.Hang(), new StubReply.Stall());
    chat.provider.usually(ANSWER);
    ChatFixture.Asked asked = ChatFixture.ask(chat.openAi());
    assertThat(asked.reply().text()).isEqualTo("yes");
    assertThat(asked.calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.TIMEOUT, Outcome.TIMEOUT, Outcome.SUCCESS);
    // A provider may bill what it was slow to answer.
    assertThat(asked.calls().getFirst().inputTokens()).isPositive();
  }

  @Test
  void hang_thatStays_isUnavailable() {
    chat.timeout(Duration.ofMillis(100)).provider.usually(new StubReply.Hang());
    ModelException failure = failure();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("100 ms").hasMessageContaining("summarizer.timeout");
  }

  @Test
  void connection_thatBreaksOrIsRefused_isUnavailable() {
    chat.provider.usually(new StubReply.Break());
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    ChatClient client = chat.openAi();
    chat.provider.close();
    ModelException failure = failure(client);
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("could not be reached");
    assertThat(failure.calls()).hasSize(3);
  }

  @Test
  void interrupt_whileWaiting_endsTheCallAndStaysSet() {
    chat.provider.usually(StubReply.error(503, "busy"));
    Sleeper interrupted =
        _ -> {
          throw new InterruptedException();
        };
    ModelException failure =
        failure(chat.client(Provider.OPENAI, Optional.of(ChatFixture.KEY), interrupted));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
    assertThat(failure.calls()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 422})
  void refusal_ofThisRequest_isNoReasonToRefuseOthers(int status) {
    for (String said :
        List.of(
            "The response was filtered due to the prompt triggering our content management policy",
            "This model's maximum context length is 8192 tokens",
            "input is not acceptable")) {
      chat.provider.usually(StubReply.error(status, said));
      ModelException failure = failure();
      assertThat(failure.kind()).as(said).isEqualTo(ModelException.Kind.UNANSWERABLE);
      assertThat(failure).hasMessageContaining(said.substring(0, 20));
      assertThat(failure.calls()).extracting(Attempted::outcome).containsOnly(Outcome.REFUSED);
      assertThat(chat.pauses).isEmpty();
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
    chat.provider.usually(StubReply.error(400, said));
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.REFUSED);
  }

  @Test
  void refusal_ofAText_costsNoSecondRequest() {
    chat.provider.usually(StubReply.error(400, "prompt is too long: 9000 tokens"));
    assertThat(failure().calls()).hasSize(1);
  }

  @Test
  void interrupt_ofARequestThatWasSent_countsIt() {
    chat.provider.usually(new StubReply.Hang());
    Thread asker = Thread.currentThread();
    Thread interrupter =
        Thread.ofVirtual()
            .start(() -> {
              while (chat.provider.calls() == 0) {
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
    assertThat(chat.provider.calls()).isZero();
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
      chat.provider.usually(new StubReply.Plain(200, Map.of(), body));
      ModelException failure = failure(chat.client(kind));
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
    chat.provider.usually(StubReply.says("x".repeat(3_000_000)));
    assertThat(failure().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
  }

  @Test
  void everyRequestButTheFirst_hasToBeAffordable() {
    long cost =
        ChatFixture.window(chat.config(Provider.OLLAMA, Optional.empty())).cost(ChatFixture.PROMPT);
    for (StubReply reply :
        List.of(StubReply.error(503, "busy"), StubReply.error(400, "no response_format here"))) {
      chat.provider.usually(reply);
      var told = new ArrayList<Long>();
      ModelException failure =
          catchThrowableOfType(
              ModelException.class,
              () ->
                  chat.openAi()
                      .ask(
                          ChatFixture.PROMPT,
                          new ArrayList<>(),
                          tokens -> {
                            told.add(tokens);
                            return false;
                          }));
      assertThat(failure.kind()).as("%s", reply).isEqualTo(ModelException.Kind.UNAFFORDABLE);
      assertThat(failure.calls()).hasSize(1);
      assertThat(failure).hasMessageContaining("summarizer.daily_token_budget");
      assertThat(told).containsExactly(cost);
    }
    assertThat(chat.provider.calls()).isEqualTo(2);
    assertThat(chat.pauses).isEmpty();
  }
}
