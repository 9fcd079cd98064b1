package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TalkTest {

  @Test
  void session_sameNumber_isTheSame() {
    List<Event> session = Talk.session(12);

    assertThat(session).hasSize(Talk.IN_SESSION).isEqualTo(Talk.session(12));
    assertThat(session).isNotEqualTo(Talk.session(13));
    assertThat(session.getLast().timestamp()).isBefore(Talk.start(13));
    assertThat(session)
        .extracting(event -> event.text().length())
        .allMatch(n -> n > 110 && n < 340);
  }

  @Test
  void saying_aWord_isAnotherEventWithThatWord() {
    Event event = Talk.session(1).getFirst();

    Event other = Talk.saying(event, "unheardof");

    assertThat(other.text()).isEqualTo(event.text() + " unheardof");
    assertThat(other.id()).isNotEqualTo(event.id());
    assertThat(other.timestamp()).isEqualTo(event.timestamp());
  }

  @Test
  void rank_manyDraws_followsTheLaw() {
    var random = new SplittableRandom(3);
    double[] counts = new double[Vocabulary.SIZE];
    for (int i = 0; i < 1_000_000; i++) {
      counts[Vocabulary.rank(random)]++;
    }

    // 1 / (1 + 2.7) against 1 / (101 + 2.7).
    assertThat(counts[0] / counts[100]).isBetween(25.0, 31.0);
    assertThat(Arrays.stream(counts).filter(count -> count > 0).count())
        .isGreaterThan(Vocabulary.SIZE / 3);
  }

  @Test
  void word_ofEachRank_isAnotherStem() {
    var random = new SplittableRandom(3);
    var words = new HashSet<String>();
    for (int rank = 0; rank < Vocabulary.SIZE; rank++) {
      words.add(Vocabulary.word(rank, random));
    }

    assertThat(words).hasSize(Vocabulary.SIZE);
  }
}
