package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.provider.ModelRequest;
import dev.agentmemory.testkit.provider.Reply;
import dev.agentmemory.toc.internal.check.Answers;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.ModelCall.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes over the wire to each provider, and what is read of its answer.
class BoundedHttpClientTest {

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  private ModelRequest request(Provider kind, Optional<String> key) {
    asking.provider.script(Reply.says(Answers.move()));
    asking.of(kind, key).about(Said.move().passage()).ask(Asking.ANY);
    return asking.provider.last();
  }

  @Test
  void openAi_request_hasModelKeySchemaAndLimits() {
    ModelRequest request = request(Provider.OPENAI, Optional.of(Asking.KEY));
    assertThat(request.path()).isEqualTo("/v1/chat/completions");
    assertThat(request.header("Authorization")).contains("Bearer " + Asking.KEY);
    assertThat(request.value("/model")).contains("small-1");
    assertThat(request.value("/temperature")).contains("0.0");
    assertThat(request.value("/seed")).contains("7");
    assertThat(request.value("/max_tokens")).contains("500");
    assertThat(request.value("/stream")).isNotEqualTo(Optional.of("true"));
    assertThat(request.value("/response_format/type")).contains("json_schema");
    assertThat(request.value("/response_format/json_schema/strict")).contains("true");
    assertThat(
            request.value("/response_format/json_schema/schema/properties/bullets/items/required"))
        .contains("[\"text\",\"events\",\"quote\"]");
    assertThat(request.value("/messages/0/role")).contains("system");
    assertThat(request.value("/messages/1/role")).contains("user");
  }

  @Test
  void openAi_withoutKey_sendsNone() {
    assertThat(request(Provider.OPENAI, Optional.empty()).header("Authorization")).isEmpty();
  }

  @Test
  void anthropic_request_hasModelKeySchemaAndLimits() {
    ModelRequest request = request(Provider.ANTHROPIC, Optional.of(Asking.KEY));
    assertThat(request.path()).isEqualTo("/v1/messages");
    assertThat(request.header("x-api-key")).contains(Asking.KEY);
    assertThat(request.header("anthropic-version")).isPresent();
    assertThat(request.value("/model")).contains("small-1");
    assertThat(request.value("/temperature")).contains("0.0");
    assertThat(request.value("/max_tokens")).contains("500");
    assertThat(request.value("/seed")).isEmpty();
    assertThat(request.value("/output_config/format/type")).contains("json_schema");
    assertThat(request.value("/messages/0/role")).contains("user");
    assertThat(request.texts().getFirst()).startsWith("You summarise one stretch");
  }

  @Test
  void ollama_request_hasModelSchemaWindowAndLimits() {
    ModelRequest request = request(Provider.OLLAMA, Optional.empty());
    assertThat(request.path()).isEqualTo("/api/chat");
    assertThat(request.header("Authorization")).isEmpty();
    assertThat(request.value("/model")).contains("small-1");
    assertThat(request.value("/stream")).contains("false");
    assertThat(request.value("/options/temperature")).contains("0.0");
    assertThat(request.value("/options/seed")).contains("7");
    assertThat(request.value("/options/num_predict")).contains("500");
    assertThat(request.value("/options/num_ctx")).contains("8192");
    assertThat(request.value("/format/properties/bullets/type")).contains("array");
  }

  @ParameterizedTest
  @EnumSource
  void answer_ofEachProvider_isReadWithItsUsage(Provider kind) {
    asking.provider.script(Reply.says(Answers.move()));
    ModelAnswer<Summary> asked =
        asking.of(kind, Optional.of(Asking.KEY)).about(Said.move().passage()).ask(Asking.ANY);
    Summary summary = asked.answer().orElseThrow();
    assertThat(summary.title()).contains("Moving the billing service to Frankfurt");
    assertThat(summary.points()).hasSize(2);
    assertThat(asked.calls()).hasSize(1);
    Attempted call = asked.calls().getFirst();
    assertThat(call.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(call.time()).isEqualTo(Asking.NOW);
    assertThat(call.inputTokens()).isEqualTo(asking.provider.inputTokens()).isPositive();
    assertThat(call.outputTokens()).isEqualTo((Answers.move().length() + 3) / 4);
  }

  @ParameterizedTest
  @EnumSource
  void sensibleAnswer_ofEachProvider_survivesTheCheck(Provider kind) {
    ModelAnswer<Summary> asked =
        asking.of(kind, Optional.of(Asking.KEY)).about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asked.answer().orElseThrow().points()).hasSizeBetween(3, 5);
    assertThat(asked.unsupported()).isZero();
  }

  @Test
  void sameInput_twice_isTheSameRequest() {
    ModelSummarizer summarizer = asking.openAi();
    summarizer.about(Said.move().passage()).ask(Asking.ANY);
    summarizer.about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asking.provider.requests().get(0).body())
        .isEqualTo(asking.provider.requests().get(1).body());
  }

  @Test
  void schema_refusedByAServer_isLeftOutFromThenOn() {
    asking.provider.script(
        Reply.error(400, "'response_format.type' must be 'text'"), Reply.says(Answers.move()));
    ModelSummarizer summarizer = asking.openAi();
    ModelAnswer<Summary> first = summarizer.about(Said.move().passage()).ask(Asking.ANY);
    assertThat(first.answer()).isPresent();
    assertThat(first.calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.REFUSED, Outcome.SUCCESS);
    assertThat(asking.provider.last().value("/response_format")).isEmpty();
    assertThat(asking.provider.last().value("/seed")).contains("7");
    summarizer.about(Said.move().passage()).ask(Asking.ANY);
    assertThat(asking.provider.calls()).isEqualTo(3);
    assertThat(asking.provider.last().value("/response_format")).isEmpty();
    assertThat(asking.pauses).isEmpty();
  }

  @Test
  void temperature_refusedByAModel_isLeftOutAndTheSchemaStays() {
    asking.provider.script(
        Reply.error(400, "Unsupported value: 'temperature' does not support 0.0"),
        Reply.says(Answers.move()));
    assertThat(asking.openAi().about(Said.move().passage()).ask(Asking.ANY).answer()).isPresent();
    assertThat(asking.provider.last().value("/temperature")).isEmpty();
    assertThat(asking.provider.last().value("/response_format")).isPresent();
  }

  @Test
  void estimate_isTheRequestAndTheLongestAnswer() {
    ModelSummarizer summarizer = asking.openAi();
    long estimate = summarizer.about(Said.move().passage()).estimate();
    long used =
        summarizer.about(Said.move().passage()).ask(Asking.ANY).calls().getFirst().inputTokens();
    // What wraps it included.
    assertThat(estimate - 500 - 250).isBetween(used - 2, used + 2);
  }
}
