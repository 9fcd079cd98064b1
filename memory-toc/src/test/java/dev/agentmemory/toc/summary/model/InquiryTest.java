package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.ModelException;
import dev.agentmemory.model.Prompt;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.toc.internal.check.Answers;
import dev.agentmemory.types.ModelCall.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a question may take in all, and what of it is counted.
class InquiryTest {

  private final StubbedSummarizer asking = new StubbedSummarizer();

  @AfterEach
  void close() {
    asking.close();
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
    PricedRequest<?> question = asking.openAi().about(PassageTurns.move().passage());
    for (StubReply reply :
        List.of(
            StubReply.error(503, "busy"),
            StubReply.error(400, "no response_format here"),
            StubReply.says("no JSON"))) {
      asking.provider.usually(reply);
      long before = asking.provider.calls();
      ModelException failure =
          catchThrowableOfType(
              ModelException.class,
              () ->
                  asking.openAi().about(PassageTurns.move().passage()).ask(requests(question, 1)));
      assertThat(failure.kind()).as("%s", reply).isEqualTo(ModelException.Kind.UNAFFORDABLE);
      assertThat(failure.calls()).hasSize(1);
      assertThat(failure).hasMessageContaining("summarizer.daily_token_budget");
      assertThat(asking.provider.calls() - before).isEqualTo(1);
    }
    assertThat(asking.pauses).isEmpty();
  }

  @Test
  void answerWithoutSupport_thatCannotBeAskedForAgain_isAnAnswer() {
    asking.provider.usually(StubReply.says(new Answers().json()));
    PricedRequest<?> question = asking.openAi().about(PassageTurns.move().passage());
    ModelAnswer<?> asked = question.ask(requests(question, 1));
    assertThat(asked.answer()).isEmpty();
    assertThat(asked.calls()).extracting(Attempted::outcome).containsExactly(Outcome.UNSUPPORTED);
  }

  @Test
  void affordable_isToldWhatTheQuestionTakesInAll() {
    asking.provider.script(StubReply.says("no JSON"), StubReply.says(Answers.move()));
    var told = new ArrayList<Long>();
    PricedRequest<?> question = asking.openAi().about(PassageTurns.move().passage());
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
    asking.provider.script(StubReply.says(Answers.move()));
    try (var line = asking.line()) {
      var question =
          new Inquiry<String>(
              line,
              asking.window(),
              new Prompt("system", "user"),
              _ -> {
                throw new IllegalStateException("stumbled");
              });
      ModelAnswer<String> asked = question.ask(StubbedSummarizer.ANY);
      assertThat(asked.answer()).isEmpty();
      assertThat(asked.unsupported()).isEqualTo(2);
      assertThat(asked.calls()).extracting(Attempted::outcome).containsExactly(Outcome.UNSUPPORTED);
    }
  }
}
