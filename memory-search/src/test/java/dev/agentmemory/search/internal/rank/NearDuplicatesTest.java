package dev.agentmemory.search.internal.rank;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.search.Bench;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.text.Traits;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which hits are one, on a real index.
class NearDuplicatesTest {

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
      return bench.ask(BLIND, query, SearchMode.HYBRID).hits();
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
  void sameWords_inAnswerToTwoQuestions_areTwoHits() {
    Event one = answer("a", START.plusSeconds(60), "Yes, do it.");
    Event other = answer("b", START.plusSeconds(660), "Yes, do it.");
    try (Bench bench =
        new Bench(folder.resolve("index"))
            .say(
                message("a", START, "shall the cache hold prices?"),
                one,
                message("b", START.plusSeconds(600), "shall the cache hold photos?"),
                other)
            .follow()) {
      assertThat(bench.ask("cache").hits())
          .flatExtracting(hit -> hit.event().stream().toList())
          .contains(one.key(), other.key());
    }
  }

  @Test
  void sameStatement_whereATimeIsAskedFor_isThatOfThen() {
    Event then = message("a", START.minus(Duration.ofDays(40)), "we deploy on Fridays");
    Event now = message("b", START.minus(Duration.ofDays(1)), "we deploy on Fridays");
    try (Bench bench = new Bench(folder.resolve("index")).say(then, now).follow()) {
      String day = LocalDate.ofInstant(then.timestamp(), ZoneOffset.UTC).toString();
      List<Hit> hits = bench.ask("when did we deploy on " + day).hits();
      assertThat(hits).hasSize(1);
      assertThat(hits.getFirst().event()).contains(then.key());
      assertThat(hits.getFirst().said()).isEqualTo(new Said(2, then.timestamp()));
      assertThat(bench.ask("deploy").hits().getFirst().event()).contains(now.key());
    }
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

  @Test
  void turnsThatMayBeTheSame_areRead_andNoOthers() {
    CandidateTurn[] sameText = {turn("a", 1, 7), turn("b", 2, 7)};
    CandidateTurn[] near = {turn("c", 3, 1), turn("d", 4, 2)};
    CandidateTurn[] far = {turn("e", 5, 3), turn("f", 6, 4)};
    CandidateTurn[] wordless = {turn("g", 7, 0), turn("h", 8, 0)};
    CandidateTurn[] longest = {turn("i", 9, 5), turn("j", 10, 5)};
    CandidateTurn[] cut = {turn("k", 11, 6), turn("l", 12, 6)};
    for (int i = 0; i < 2; i++) {
      longest[i].traits = chars(EventDocuments.MAX_TEXT);
      cut[i].traits = chars(EventDocuments.MAX_TEXT + 1);
    }
    Map<CandidateTurn, float[]> vectors =
        Map.of(
            near[0], new float[] {1, 0},
            near[1], new float[] {0.96f, 0.28f},
            far[0], new float[] {0, -1},
            far[1], new float[] {-0.6f, -0.8f});
    List<CandidateTurn> ranked =
        Stream.of(sameText, near, far, wordless, longest, cut).flatMap(Stream::of).toList();
    assertThat(NearDuplicates.merged(ranked, Map.of())).isEqualTo(ranked);
    assertThat(NearDuplicates.suspects(ranked, vectors))
        .containsExactlyInAnyOrder(
            sameText[0], sameText[1], near[0], near[1], longest[0], longest[1]);
  }

  /// Ids need not rise with time: senders may bring their own.
  @Test
  void sameStatement_newestByTimeThenById_takesThePlaceOfTheBest() {
    CandidateTurn best = turn("m", 1, 7);
    best.score = 9;
    best.relevance = 0.9;
    CandidateTurn other = turn("o", 2, 8);
    CandidateTurn newest = turn("c", 3, 7);
    newest.score = 4;
    CandidateTurn[] ranked = {
      best, other, turn("z", 2, 7), turn("b", 3, 7), newest, turn("a", 3, 7)
    };
    StatementIdentity statement = StatementIdentity.of("the build is green").orElseThrow();
    Map<CandidateTurn, StatementIdentity> statements =
        NearDuplicates.suspects(List.of(ranked), Map.of()).stream()
            .collect(Collectors.toMap(turn -> turn, _ -> statement));
    List<CandidateTurn> hits = NearDuplicates.merged(List.of(ranked), statements);
    assertThat(hits).containsExactly(newest, other);
    assertThat(newest.times).isEqualTo(5);
    assertThat(newest.since).isEqualTo(1);
    assertThat(newest.score).isEqualTo(9);
    assertThat(newest.relevance).isEqualTo(0.9);
  }

  private static CandidateTurn turn(String uid, long time, long text) {
    CandidateTurn turn = new CandidateTurn(0, time, 0);
    turn.uid = new BytesRef(uid);
    turn.text = text;
    turn.traits = chars(10);
    turn.lexicalRank = 1;
    return turn;
  }

  private static Traits chars(int chars) {
    return new Traits(false, false, EventRole.USER, chars);
  }
}
