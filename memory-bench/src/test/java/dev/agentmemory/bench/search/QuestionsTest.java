package dev.agentmemory.bench.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionsTest {

  @Test
  void many_areAllDifferentAndHoldWordsOfEvents() {
    var questions = new Questions(4_000, 5);
    List<String> plain = questions.plain(200);
    List<String> typed = questions.typed(200);

    var all = new HashSet<>(plain);
    all.addAll(typed);
    assertThat(all).hasSize(400);
    assertThat(plain).allMatch(question -> question.matches("[a-z0-9 _./]+"));
    assertThat(plain)
        .allMatch(question -> Questions.words(question).stream().anyMatch(Questions::tells));
    assertThat(typed).anyMatch(question -> question.contains("\""));
    assertThat(typed).anyMatch(question -> question.contains("role:"));
  }
}
