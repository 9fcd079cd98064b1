package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.search.Hit;
import dev.agentmemory.types.search.Mode;
import dev.agentmemory.types.search.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which hits are one, on a real index.
class TwinsTest {

  /// Reads nothing, as an English model reads Chinese: every text has the same vector.
  private static final Embedder BLIND =
      new Embedder() {
        @Override
        public String model() {
          return "blind";
        }

        @Override
        public int dimension() {
          return 2;
        }

        @Override
        public List<float[]> documents(List<String> texts) {
          return texts.stream().map(this::query).toList();
        }

        @Override
        public float[] query(String text) {
          return new float[] {1, 0};
        }
      };

  @TempDir private Path folder;

  private static Event said(int minute, String text) {
    return message("s" + minute, START.plusSeconds(60L * minute), text);
  }

  private List<Hit> found(String query, Event... events) {
    try (Bench bench = new Bench(folder.resolve("index")).say(events).follow()) {
      bench.index.embed(BLIND, 100);
      return bench.ask(BLIND, query, Mode.HYBRID).hits();
    }
  }

  @Test
  void sameVector_anotherNumber_areTwoHits() {
    assertThat(found("postgres", said(0, "we use postgres 16"), said(1, "we use postgres 17")))
        .hasSize(2);
  }

  @Test
  void sameVector_unreadableTexts_areAllFound() {
    assertThat(found("会议", said(0, "会议在三楼"), said(1, "会议在四楼"), said(2, "会议取消了"))).hasSize(3);
  }

  @Test
  void sameLettersAndDigits_otherPunctuation_areTwoHits() {
    assertThat(found("version", said(0, "version 1.6"), said(1, "version 16"))).hasSize(2);
  }

  @Test
  void sameVector_onlyFillersDiffer_isOneHit() {
    assertThat(
            found("restart", said(0, "restart the server"), said(1, "Please restart the server")))
        .hasSize(1);
  }

  @Test
  void sameStatement_ofAnotherSpeaker_isAnotherHit() {
    assertThat(
            found("tea", said(0, "I like tea"), answer("b", START.plusSeconds(60), "I like tea")))
        .hasSize(2);
  }

  @Test
  void sameStatement_isTheNewest_withHowOftenAndSinceWhen() {
    Event newest = said(9, "We deploy on Fridays!");
    List<Hit> hits =
        found("deploy", said(5, "we deploy on Fridays"), newest, said(2, "we deploy on fridays."));
    assertThat(hits).hasSize(1);
    assertThat(hits.getFirst().event()).contains(newest.key());
    assertThat(hits.getFirst().said()).isEqualTo(new Said(3, START.plusSeconds(120)));
    assertThat(found("lunch", said(20, "lunch at noon")).getFirst().said())
        .isEqualTo(Said.once(START.plusSeconds(1200)));
  }

  @Test
  void manyCopies_theNewestIsFound() {
    Event[] events = new Event[150];
    for (int i = 0; i < events.length; i++) {
      events[i] = said(i, "the build is green");
    }
    List<Hit> hits = found("build green", events);
    assertThat(hits.getFirst().event()).contains(events[149].key());
    assertThat(hits.getFirst().said().times()).isGreaterThanOrEqualTo(TurnSearch.LEG);
  }
}
