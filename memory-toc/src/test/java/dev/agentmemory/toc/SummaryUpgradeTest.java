package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Better words from a model, over real HTTP.
class SummaryUpgradeTest {

  private static final String MODEL = "openai/gpt-4o-mini";
  private static final String DAY = "toc:day:2026-01-30";
  private static final String YEAR = "toc:year:2026";
  private static final Instant NOW = Instant.parse("2027-06-01T09:00:00Z");
  private static final Event ASKED =
      TocWorld.said(
          "a", "2026-01-30T10:00:00Z", 1, "Which retry policy should the payment worker use?");
  private static final Event DECIDED =
      TocWorld.said(
          "a",
          "2026-01-30T10:01:00Z",
          2,
          "We decided on exponential backoff with full jitter for the payment worker.");

  private final StubProvider provider = StubProvider.start();
  private final TocWorld world = new TocWorld("UTC", NOW, SegmentationConfig.DEFAULT);
  private final List<ModelSummarizer> models = new ArrayList<>();
  private final Set<TocLevel> paused = EnumSet.noneOf(TocLevel.class);
  private final RandomGenerator random = new SplittableRandom(1);
  private final SummaryUpgrade upgrade = upgrade(0);

  @AfterEach
  void close() {
    models.forEach(ModelSummarizer::close);
    provider.close();
  }

  private SummaryUpgrade upgrade(long tokensPerDay) {
    return upgrade(tokensPerDay, UnaryOperator.identity());
  }

  private SummaryUpgrade upgrade(long tokensPerDay, UnaryOperator<String> mask) {
    return upgrade("gpt-4o-mini", tokensPerDay, mask);
  }

  private SummaryUpgrade upgrade(String name, long tokensPerDay, UnaryOperator<String> mask) {
    var config =
        new ModelConfig(
            new ModelEndpoint(
                Provider.OPENAI,
                name,
                Optional.of(provider.openAi()),
                Optional.empty(),
                Duration.ofSeconds(30)),
            500,
            Optional.empty(),
            8192);
    var model =
        new ModelSummarizer(
            () -> world.now, config, TocWorld.WORDS::count, mask, length -> {}, random);
    models.add(model);
    var budget =
        new TokenBudget(() -> world.now, world.store.zone(), world.store.ledger(), tokensPerDay);
    return new SummaryUpgrade(
        random,
        world.writer,
        world.builder,
        world.rollup,
        level -> !paused.contains(level),
        model,
        budget,
        Duration.ofHours(1));
  }

  private void talk() {
    world.ingest(ASKED, DECIDED);
    world.settle();
  }

  private TocNode segment() {
    return node("a");
  }

  private static SummaryUpgrade.Halt halt(SummaryUpgrade one) {
    return one.run().halt().orElseThrow(() -> new AssertionError("it came to its end"));
  }

  private TocNode node(String session) {
    return world.store.toc().node(world.segments(session).getFirst().node()).orElseThrow();
  }

  private List<ModelCall> ledger() {
    var calls = new ArrayList<ModelCall>();
    world.store.ledger().modelCalls(Instant.EPOCH, NOW.plus(Duration.ofDays(365)), calls::add);
    return calls;
  }

  @Test
  void closedSegmentAndPeriodsOver_getAModelsWords_onTopOfTheOldOnes() {
    talk();
    TocNode before = segment();

    SummaryUpgrade.Result result = upgrade.run();

    assertThat(result.upgraded()).isEqualTo(5);
    TocNode after = segment();
    assertThat(after.edition().summarizer()).isEqualTo(MODEL);
    assertThat(after.edition().version()).isEqualTo(before.edition().version() + 1);
    assertThat(world.store.toc().node(before.id(), before.edition().version())).contains(before);
    for (TocLevel level : TocLevel.values()) {
      for (TocNode node : world.store.toc().nodes(world.ids(level))) {
        assertThat(node.edition().summarizer()).as("%s", node.id()).isEqualTo(MODEL);
        assertThat(node.bullets()).isNotEmpty().allMatch(bullet -> !bullet.grips().isEmpty());
      }
    }
    assertThat(world.store.verify(10)).isEmpty();
    assertThat(upgrade.isWaiting()).isFalse();
    assertThat(ledger())
        .hasSize((int) provider.calls())
        .allMatch(call -> call.outcome() == ModelCall.Outcome.SUCCESS)
        .allMatch(call -> call.job().equals(SummaryUpgrade.JOB) && call.model().equals(MODEL));
    assertThat(ledger().stream().mapToLong(call -> call.inputTokens() + call.outputTokens()).sum())
        .isEqualTo(result.tokens())
        .isPositive();
  }

  @Test
  void secondRun_andARebuild_askNothing() {
    talk();
    upgrade.run();
    var picture = world.picture();
    long calls = provider.calls();

    assertThat(upgrade.run().upgraded()).isZero();
    world.rebuild.run();
    world.settle();
    assertThat(upgrade.run().upgraded()).isZero();

    assertThat(provider.calls()).isEqualTo(calls);
    assertThat(world.picture()).isEqualTo(picture);
  }

  @Test
  void whatIsNotFinal_isNotAskedAbout() {
    world.now = DECIDED.timestamp().plusSeconds(1);
    talk();
    upgrade.run();
    assertThat(provider.calls()).isZero();
    assertThat(segment().edition().provisional()).isTrue();

    // The session falls silent, but its day, week, month and year go on.
    world.now = DECIDED.timestamp().plus(Duration.ofHours(1));
    world.settle();
    upgrade.run();
    assertThat(provider.calls()).isEqualTo(1);
    assertThat(world.node(DAY).edition().summarizer()).isNotEqualTo(MODEL);
  }

  @Test
  void lateEvent_getsWordsAtOnce_andThenAModelsAgain() {
    talk();
    upgrade.run();
    long calls = provider.calls();
    world.ingest(
        TocWorld.said("a", "2026-01-30T10:02:00Z", 3, "The cap is thirty seconds per attempt."));
    world.settle();
    assertThat(segment().edition().summarizer()).isEqualTo("first_sentences");
    assertThat(world.node(DAY).edition().summarizer()).isEqualTo("first_sentences");

    upgrade.run();

    assertThat(segment().edition().summarizer()).isEqualTo(MODEL);
    assertThat(world.node(YEAR).edition().summarizer()).isEqualTo(MODEL);
    assertThat(provider.calls()).isGreaterThan(calls);
  }

  @Test
  void segmentThatChangesWhileTheModelThinks_keepsItsNewContent() {
    talk();
    var late = new ArrayList<>(List.of(TocWorld.said("a", "2026-01-30T10:02:00Z", 3, "Late.")));
    SummaryUpgrade racing =
        upgrade(
            0,
            text -> {
              if (!late.isEmpty() && provider.calls() == 0) {
                world.ingest(late.removeLast());
                world.settle();
              }
              return text;
            });
    racing.run();
    assertThat(world.segments("a").getFirst().entries()).hasSize(3);
    assertThat(segment().edition().summarizer()).isEqualTo("first_sentences");
    assertThat(racing.isWaiting()).isTrue();

    assertThat(racing.run().upgraded()).isPositive();
    assertThat(segment().edition().summarizer()).isEqualTo(MODEL);
  }

  @Test
  void refusedKey_haltsWithoutATime_andLosesNothing() {
    talk();
    TocNode before = segment();
    provider.usually(StubReply.error(401, "no such key"));
    assertThat(halt(upgrade).until()).isEmpty();
    assertThat(segment()).isEqualTo(before);
    assertThat(upgrade.waitsFor()).isPresent();
    assertThat(upgrade.due()).isEmpty();
    assertThat(ledger()).extracting(ModelCall::outcome).containsOnly(ModelCall.Outcome.REFUSED);

    provider.usually(new StubReply.Sensible());
    assertThat(upgrade.run().upgraded()).isEqualTo(5);
    assertThat(upgrade.waitsFor()).isEmpty();
  }

  @Test
  void outage_isWaitedOutWithoutAsking() {
    talk();
    provider.usually(StubReply.error(503, "overloaded"));
    assertThat(halt(upgrade).until()).isPresent();
    long calls = provider.calls();
    Instant until = upgrade.due().orElseThrow();
    assertThat(until).isAfter(world.now);

    assertThat(halt(upgrade).until()).isPresent();
    assertThat(provider.calls()).isEqualTo(calls);

    provider.usually(new StubReply.Sensible());
    world.now = until;
    assertThat(upgrade.run().upgraded()).isEqualTo(5);
  }

  @Test
  void outage_someoneAsksForARun_isTriedAtOnce() {
    talk();
    provider.usually(StubReply.error(503, "overloaded"));
    assertThat(halt(upgrade).until()).isPresent();
    provider.usually(new StubReply.Sensible());
    assertThat(upgrade.runNow().upgraded()).isEqualTo(5);
  }

  @Test
  void outage_isFoundWithTwoNodes_notWithAll() {
    for (int session = 0; session < 5; session++) {
      world.ingest(TocWorld.said("s" + session, "2026-01-30T10:00:00Z", session, "We chose it."));
    }
    world.settle();
    provider.usually(StubReply.error(503, "overloaded"));
    assertThat(halt(upgrade).until()).isPresent();
    assertThat(provider.calls()).isEqualTo(6);
  }

  @Test
  void nodeThatAloneGetsNoAnswer_holdsUpNobody_andIsGivenUp() {
    world.ingest(
        TocWorld.said("old", "2026-01-30T10:00:00Z", 1, "We chose polling for the old importer."),
        TocWorld.said("new", "2026-02-20T10:00:00Z", 2, "We moved the archive to other storage."));
    world.settle();
    // The latest comes first: its three attempts fail, the other one's do not.
    for (int run = 0; run < 3; run++) {
      provider.script(
          StubReply.error(500, "no"), StubReply.error(500, "no"), StubReply.error(500, "no"));
      upgrade.runNow();
      world.ingest(
          TocWorld.said("s" + run, "2026-01-2%dT10:00:00Z".formatted(run), 7, "We kept the cap."));
      world.settle();
    }
    assertThat(node("old").edition().summarizer()).isEqualTo(MODEL);
    assertThat(node("new").edition().summarizer()).isEqualTo("first_sentences");
    assertThat(world.store.toc().awaitsUpgrade(node("new").id())).isFalse();
    upgrade.runNow();
    assertThat(upgrade.isWaiting()).isFalse();
  }

  @Test
  void textThatTheProviderTurnsDown_keepsItsWords_onceAnotherIsAnswered() {
    world.ingest(
        TocWorld.said("old", "2026-01-30T10:00:00Z", 1, "We chose polling for the old importer."),
        TocWorld.said("new", "2026-02-20T10:00:00Z", 2, "We moved the archive to other storage."));
    world.settle();
    provider.script(StubReply.error(400, "flagged by the content filter"));
    upgrade.run();
    assertThat(node("old").edition().summarizer()).isEqualTo(MODEL);
    assertThat(node("new").edition().summarizer()).isEqualTo("first_sentences");
    upgrade.run();
    assertThat(upgrade.isWaiting()).isFalse();
  }

  @Test
  void providerThatTurnsDownEverything_haltsTheJob_andLosesNothing() {
    for (int session = 0; session < 5; session++) {
      world.ingest(TocWorld.said("s" + session, "2026-01-30T10:00:00Z", session, "We chose it."));
    }
    world.settle();
    provider.usually(StubReply.error(400, "flagged by the content filter"));
    assertThat(halt(upgrade).until()).isEmpty();
    assertThat(provider.calls()).isEqualTo(3);
    assertThat(world.store.toc().upgrades(TocLevel.SEGMENT, Optional.empty(), 9)).hasSize(5);
  }

  @Test
  void latestSegment_isAskedAboutFirst() {
    world.ingest(
        TocWorld.said("old", "2026-01-30T10:00:00Z", 1, "We chose polling for the old importer."),
        TocWorld.said("new", "2026-02-20T10:00:00Z", 2, "We moved the archive to other storage."));
    world.settle();
    upgrade.run();
    assertThat(provider.requests().getFirst().texts()).anyMatch(text -> text.contains("archive"));
  }

  @Test
  void pausedRollups_areNotRunFromHere() {
    talk();
    paused.addAll(EnumSet.allOf(TocLevel.class));
    TocNode day = world.node(DAY);
    // Only the segment and, above it, what was made of its old words and is over.
    upgrade.run();
    assertThat(segment().edition().summarizer()).isEqualTo(MODEL);
    assertThat(world.store.toc().dirty(TocLevel.DAY, 1)).contains(day.id());
  }

  @Test
  void outageThatLasts_isAskedAboutLessAndLess() {
    talk();
    provider.usually(StubReply.error(503, "overloaded"));
    var pauses = new ArrayList<Duration>();
    for (int i = 0; i < 8; i++) {
      assertThat(halt(upgrade).until()).isPresent();
      assertThat(halt(upgrade).failure()).isTrue();
      Instant until = upgrade.due().orElseThrow();
      pauses.add(Duration.between(world.now, until));
      world.now = until;
    }
    assertThat(pauses.getFirst()).isEqualTo(Duration.ofMinutes(1));
    assertThat(pauses).isSorted();
    assertThat(pauses.getLast()).isEqualTo(Duration.ofMinutes(32));
  }

  @Test
  void budget_usedUp_goesOnTheNextDay_alsoAfterARestart() {
    talk();
    world.ingest(
        TocWorld.said("b", "2026-02-20T10:00:00Z", 9, "We moved the archive to object storage."));
    world.settle();
    // Enough for one request about a segment, not for two: 750 of its tokens are for schema and
    // answer.
    long perDay = 1150;
    assertThat(halt(upgrade(perDay)).why()).contains("summarizer.daily_token_budget");
    assertThat(halt(upgrade(perDay)).failure()).isFalse();
    long first = provider.calls();
    assertThat(first).isPositive();

    assertThat(halt(upgrade(perDay)).until()).isPresent();
    assertThat(provider.calls()).isEqualTo(first);

    world.now = world.now.plus(Duration.ofDays(1));
    SummaryUpgrade later = upgrade(perDay);
    assertThat(halt(later).until()).isPresent();
    assertThat(provider.calls()).isGreaterThan(first);
    assertThat(later.due()).contains(Instant.parse("2027-06-03T00:00:00Z"));
  }

  @Test
  void requestLargerThanAnyDaysBudget_isNeverMade_andHoldsUpNothing() {
    talk();
    SummaryUpgrade.Result result = upgrade(400).run();
    assertThat(provider.calls()).isZero();
    assertThat(result.kept()).isEqualTo(5);
    assertThat(upgrade.isWaiting()).isFalse();
  }

  @Test
  void malformedTwice_keepsTheOldWordsForGood() {
    talk();
    TocNode before = segment();
    provider.script(StubReply.says("no JSON"), StubReply.says("{\"title\":"));
    SummaryUpgrade.Result result = upgrade.run();
    assertThat(result.kept()).isEqualTo(1);
    assertThat(segment()).isEqualTo(before);
    assertThat(ledger())
        .filteredOn(call -> call.outcome() == ModelCall.Outcome.MALFORMED)
        .hasSize(2)
        .allMatch(call -> call.node().equals(Optional.of(before.id())));
    long calls = provider.calls();
    upgrade.run();
    assertThat(provider.calls()).isEqualTo(calls);
  }

  @Test
  void answerThatCouldNotBeUsed_isAskedForAgain_onceTheModelIsAnother() {
    talk();
    provider.script(StubReply.says("no JSON"), StubReply.says("{\"title\":"));
    upgrade.run();
    assertThat(segment().edition().summarizer()).isEqualTo("first_sentences");

    SummaryUpgrade.Result result = upgrade("gpt-4o", 0, UnaryOperator.identity()).run();

    assertThat(result.kept()).isZero();
    assertThat(segment().edition().summarizer()).isEqualTo("openai/gpt-4o");
    long calls = provider.calls();
    upgrade("gpt-4o", 0, UnaryOperator.identity()).run();
    assertThat(provider.calls()).isEqualTo(calls);
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void versionThatAPersonChose_isLeftAlone_alsoWhenTheModelWasDue() {
    talk();
    upgrade.run();
    world.ingest(
        TocWorld.said("a", "2026-01-30T10:02:00Z", 3, "The cap is thirty seconds per attempt."));
    world.settle();
    NodeId day = world.node(DAY).id();
    assertThat(world.store.toc().awaitsUpgrade(day)).isTrue();
    new NodeHistory(world.writer, node -> {})
        .revert(day, world.store.toc().versions(day).getFirst());
    assertThat(world.store.toc().awaitsUpgrade(day)).isFalse();
  }

  @Test
  void versionThatAPersonChose_isLeftAlone() {
    talk();
    upgrade.run();
    TocNode day = world.node(DAY);
    var history = new NodeHistory(world.writer, node -> {});
    int first = world.store.toc().versions(day.id()).getFirst();
    history.revert(day.id(), first);
    long calls = provider.calls();
    upgrade.run();
    assertThat(world.node(DAY).edition().revertedTo()).contains(first);
    assertThat(world.store.toc().nodes(List.of(day.id())))
        .extracting(TocNode::edition)
        .extracting(Edition::summarizer)
        .containsOnly("first_sentences");
    // Only what lies above was made of other words now.
    assertThat(provider.calls() - calls).isLessThanOrEqualTo(3);
  }
}
