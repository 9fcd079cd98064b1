package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.Provider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.toc.internal.check.Answers;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.ModelCall.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// From a passage over the wire to a summary.
class ModelSummarizerTest {

  private final StubbedSummarizer asking = new StubbedSummarizer();

  @AfterEach
  void close() {
    asking.close();
  }

  @Test
  void request_hasThePromptAndTheFormOfAnAnswer() {
    asking.provider.script(StubReply.says(Answers.move()));
    asking.openAi().about(PassageTurns.move().passage()).ask(StubbedSummarizer.ANY);
    assertThat(asking.provider.last().texts().getFirst()).startsWith("You summarise one stretch");
    assertThat(asking.provider.last().value("/response_format/json_schema/schema"))
        .contains(
            "{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string\"},"
                + "\"summary\":{\"type\":\"string\"},\"bullets\":{\"type\":\"array\","
                + "\"items\":{\"type\":\"object\",\"properties\":{"
                + "\"text\":{\"type\":\"string\"},"
                + "\"events\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
                + "\"quote\":{\"type\":\"string\"}},"
                + "\"required\":[\"text\",\"events\",\"quote\"],"
                + "\"additionalProperties\":false}},"
                + "\"keywords\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
                + "\"required\":[\"title\",\"summary\",\"bullets\",\"keywords\"],"
                + "\"additionalProperties\":false}");
  }

  @ParameterizedTest
  @EnumSource
  void answer_ofEachProvider_isReadWithItsUsage(Provider kind) {
    asking.provider.script(StubReply.says(Answers.move()));
    ModelAnswer<Summary> asked =
        asking
            .of(kind, Optional.of(StubbedSummarizer.KEY))
            .about(PassageTurns.move().passage())
            .ask(StubbedSummarizer.ANY);
    Summary summary = asked.answer().orElseThrow();
    assertThat(summary.title()).contains("Moving the billing service to Frankfurt");
    assertThat(summary.points()).hasSize(2);
    assertThat(asked.calls()).hasSize(1);
    Attempted call = asked.calls().getFirst();
    assertThat(call.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(call.time()).isEqualTo(StubbedSummarizer.NOW);
    assertThat(call.inputTokens()).isEqualTo(asking.provider.inputTokens()).isPositive();
    assertThat(call.outputTokens()).isEqualTo((Answers.move().length() + 3) / 4);
  }

  @ParameterizedTest
  @EnumSource
  void sensibleAnswer_ofEachProvider_survivesTheCheck(Provider kind) {
    ModelAnswer<Summary> asked =
        asking
            .of(kind, Optional.of(StubbedSummarizer.KEY))
            .about(PassageTurns.move().passage())
            .ask(StubbedSummarizer.ANY);
    assertThat(asked.answer().orElseThrow().points()).hasSizeBetween(3, 5);
    assertThat(asked.unsupported()).isZero();
  }

  @Test
  void sameInput_twice_isTheSameRequest() {
    ModelSummarizer summarizer = asking.openAi();
    summarizer.about(PassageTurns.move().passage()).ask(StubbedSummarizer.ANY);
    summarizer.about(PassageTurns.move().passage()).ask(StubbedSummarizer.ANY);
    assertThat(asking.provider.requests().get(0).body())
        .isEqualTo(asking.provider.requests().get(1).body());
  }

  @Test
  void estimate_isTheRequestAndTheLongestAnswer() {
    ModelSummarizer summarizer = asking.openAi();
    long estimate = summarizer.about(PassageTurns.move().passage()).estimate();
    long used =
        summarizer
            .about(PassageTurns.move().passage())
            .ask(StubbedSummarizer.ANY)
            .calls()
            .getFirst()
            .inputTokens();
    // What wraps it included.
    assertThat(estimate - 500 - 250).isBetween(used - 2, used + 2);
  }
}
