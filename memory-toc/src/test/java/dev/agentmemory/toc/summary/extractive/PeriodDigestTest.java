package dev.agentmemory.toc.summary.extractive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Strand;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeriodDigestTest {

  private static final Instant START = Instant.parse("2026-01-30T10:00:00Z");
  private static final List<String> SUBJECTS =
      List.of(
          "harbour crane",
          "violin lesson",
          "invoice parser",
          "garden fence",
          "glacier hike",
          "cheese cellar",
          "rocket nozzle",
          "tax office",
          "tram depot",
          "coral reef",
          "paper mill",
          "chess club",
          "sauna stove",
          "radio mast",
          "silk loom",
          "wind tunnel",
          "bee hive",
          "salt mine",
          "kayak rental",
          "opera house");

  @Test
  void digest_noChildren_isEmpty() {
    Digest digest = whole(TocLevel.DAY, List.of());
    assertThat(digest).isEqualTo(new Digest(Optional.empty(), List.of(), List.of()));
  }

  @Test
  void digest_manyBullets_keepsAsManyAsTheLevelHolds() {
    List<TocNode> children = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      children.add(node(i, List.of(), subjects(i * 5, 5)));
    }
    assertThat(digest(TocLevel.DAY, children)).hasSize(6);
    assertThat(digest(TocLevel.WEEK, children)).hasSize(6);
    assertThat(digest(TocLevel.MONTH, children)).hasSize(7);
    assertThat(digest(TocLevel.YEAR, children)).hasSize(8);
  }

  @Test
  void digest_bullets_keepTextAndGripsOfAChildBullet() {
    TocNode child = node(0, List.of(), subjects(0, 3));
    for (Bullet bullet : digest(TocLevel.DAY, List.of(child))) {
      assertThat(child.bullets()).contains(bullet);
    }
  }

  @Test
  void digest_nearDuplicates_becomeOneWithAllGrips() {
    TocNode one =
        node(0, List.of(), List.of(bullet(1, "Decided to use Flyway for schema migrations.", 0.8)));
    TocNode two =
        node(
            1,
            List.of(),
            List.of(bullet(2, "Decided to use Flyway for the schema migrations!", 0.7)));
    List<Bullet> bullets = digest(TocLevel.DAY, List.of(one, two));
    assertThat(bullets).hasSize(1);
    assertThat(bullets.getFirst().grips()).containsExactly(grip(1), grip(2));
    assertThat(bullets.getFirst().salience()).isBetween(0.8, 1.0);
  }

  @Test
  void digest_countlessDuplicates_haveBoundedGrips() {
    List<TocNode> children = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      children.add(
          node(i, List.of(), List.of(bullet(i, "The nightly backup stopped again.", 0.5))));
    }
    assertThat(digest(TocLevel.DAY, children).getFirst().grips()).hasSize(Digest.MOST_GRIPS);
  }

  @Test
  void digest_quietChildBesideABusyOne_isIncluded() {
    TocNode busy = node(0, List.of(), subjects(0, 5, 0.8));
    TocNode quiet = node(1, List.of(), List.of(bullet(90, "The lighthouse got a new lens.", 0.55)));
    assertThat(digest(TocLevel.DAY, List.of(busy, quiet)))
        .extracting(Bullet::text)
        .contains("The lighthouse got a new lens.");
  }

  @Test
  void digest_quietWeekBesideThreeBusyOnes_isIncludedAndDoesNotDominate() {
    List<TocNode> weeks = new ArrayList<>();
    for (int week = 0; week < 3; week++) {
      weeks.add(ofAWeek(node(week, List.of(), subjects(week * 6, 6, 0.95))));
    }
    Bullet quiet = bullet(90, "The lighthouse got a new lens.", 0.45);
    Bullet less = bullet(91, "Somebody painted a bench.", 0.44);
    weeks.add(node(3, List.of(), List.of(quiet, less)));

    List<Bullet> month = digest(TocLevel.MONTH, weeks);
    assertThat(month).hasSize(7).contains(quiet).doesNotContain(less);
    for (TocNode busy : weeks.subList(0, 3)) {
      assertThat(month.stream().filter(busy.bullets()::contains)).hasSizeBetween(1, 3);
    }
  }

  @Test
  void digest_busyWeekBesideALoudQuietOne_isNotSwallowed() {
    TocNode busy = node(0, List.of(), subjects(0, 6, 0.6));
    TocNode loud = node(1, List.of(), subjects(10, 5, 0.95));

    assertThat(
            digest(TocLevel.MONTH, List.of(busy, loud)).stream().filter(busy.bullets()::contains))
        .hasSizeBetween(2, 4);
  }

  @Test
  void digest_daysWithOneLoudSession_tellsMostOfTheLoudOne() {
    TocNode incident = node(0, List.of(), subjects(0, 5, 0.95));
    List<TocNode> sessions = new ArrayList<>(List.of(incident));
    for (int i = 1; i < 6; i++) {
      sessions.add(node(i, List.of(), List.of(bullet(50 + i, "Room " + i + " got swept.", 0.3))));
    }

    assertThat(digest(TocLevel.DAY, sessions).stream().filter(incident.bullets()::contains))
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void digest_day_namesItsSessionsInOrder() {
    TocNode one = titled(node(0, List.of(), subjects(0, 1)), "Add a retry policy");
    TocNode other = titled(node(1, List.of(), subjects(1, 1)), "Why is the search slow?");
    TocNode silent = titled(node(2, List.of(), List.of()), "Nothing said");

    assertThat(whole(TocLevel.DAY, List.of(one, other, silent)).prose())
        .contains(
            "Add a retry policy: The harbour crane was repaired."
                + " Why is the search slow? The violin lesson was repaired.");
  }

  @Test
  void digest_day_tellsEachStrand_whatWasWantedWhatCameOutAndWhatIsOpen() {
    TocNode retry =
        titled(
            node(
                0,
                List.of(),
                List.of(
                    bullet(1, "Asked: Add a retry policy to the client.", 0.6),
                    bullet(2, "Decided on full jitter with five attempts", 0.9),
                    bullet(3, "Add a retry policy.", 0.8))),
            "Add a retry policy");
    TocNode search =
        titled(
            node(1, List.of(), List.of(bullet(4, "The index was read twice.", 0.7))),
            "Why is the search slow?");
    TocNode later =
        titled(
            node(2, List.of(), List.of(bullet(5, "The flaky test still fails on CI.", 0.5))),
            "Run the tests again");

    assertThat(
            new ExtractiveSummarizer()
                .digest(
                    TocLevel.DAY,
                    List.of(
                        PeriodPart.of(retry, new Strand("a", retry.title())),
                        PeriodPart.of(search, new Strand("b", search.title())),
                        PeriodPart.of(later, new Strand("a", later.title()))))
                .prose())
        .contains(
            "Add a retry policy: Decided on full jitter with five attempts."
                + " Open: The flaky test still fails on CI."
                + " Why is the search slow? The index was read twice.");
  }

  @Test
  void digest_day_saysNeitherATitleNorALabelTwice() {
    TocNode drift =
        titled(
            node(
                0,
                List.of(),
                List.of(
                    bullet(1, "Request 318 describes `prod`: version 7.1, three nodes.", 0.9),
                    bullet(2, "Open: the alarm for evictions", 0.5))),
            "Request 318 describes prod: version 7.1");

    assertThat(whole(TocLevel.DAY, List.of(drift)).prose())
        .contains(
            "Request 318 describes `prod`: version 7.1, three nodes."
                + " Open: the alarm for evictions.");

    TocNode decided =
        titled(
            node(0, List.of(), List.of(bullet(1, "User: We decided on full jitter.", 0.9))),
            "We decided on full jitter");
    assertThat(whole(TocLevel.DAY, List.of(decided)).prose())
        .contains("User: We decided on full jitter.");
  }

  @Test
  void digest_dayOfFiftySessions_tellsTheSixThatMatterMost_inOrder() {
    List<TocNode> sessions = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      double salience = i % 8 == 3 ? 0.9 - i * 0.001 : 0.3;
      Bullet said = bullet(i, "Crane number " + i + " was repaired.", salience);
      sessions.add(titled(node(i, List.of(), List.of(said)), "Repair " + i));
    }
    String prose = whole(TocLevel.DAY, sessions).prose().orElseThrow();

    assertThat(prose)
        .startsWith("Repair 3: Crane number 3 was repaired. Repair 11: ")
        .endsWith("Repair 43: Crane number 43 was repaired.");
    assertThat(prose.split("Repair ", -1)).hasSize(7);
  }

  @Test
  void digest_week_namesItsStrandsAndWhatCameOutOfEach_inOrder() {
    var retry = new Strand("a", "Add a retry policy");
    var search = new Strand("b", "Why is the search slow?");
    TocNode monday =
        node(
            0,
            List.of(),
            List.of(
                bullet(1, "Decided on full jitter.", 0.9),
                bullet(2, "The index was read twice.", 0.5)));
    TocNode tuesday =
        node(
            1,
            List.of(),
            List.of(
                bullet(3, "The policy has tests without any waiting.", 0.6),
                bullet(4, "Asked: Add a retry policy to the client.", 0.8),
                bullet(5, "Open: the limit of attempts", 0.4)));

    assertThat(
            ofStrands(
                    TocLevel.WEEK,
                    new PeriodPart(monday, List.of(retry, search)),
                    new PeriodPart(tuesday, List.of(retry, retry, retry)))
                .prose())
        .contains(
            "Add a retry policy: Decided on full jitter."
                + " The policy has tests without any waiting. Open: the limit of attempts."
                + " Why is the search slow? The index was read twice.");
  }

  @Test
  void digest_weekOfMoreStrandsThanBullets_tellsOneOutcomeOfEachOfTheBest() {
    List<Bullet> loud = subjects(0, 8, 0.95);
    var parts = new ArrayList<PeriodPart>();
    parts.add(PeriodPart.of(node(0, List.of(), loud), new Strand("loud", "Repair")));
    for (int i = 0; i < 7; i++) {
      Bullet said = bullet(20 + i, "The " + SUBJECTS.get(10 + i) + " was repaired.", 0.6);
      parts.add(
          PeriodPart.of(node(1 + i, List.of(), List.of(said)), new Strand("s" + i, "Repair " + i)));
    }
    Digest week = ofStrands(TocLevel.WEEK, parts.toArray(PeriodPart[]::new));

    assertThat(week.bullets().stream().filter(loud::contains)).hasSize(1);
    assertThat(week.prose().orElseThrow()).contains("Repair 0: ", "Repair 4: ");
    assertThat(week.prose().orElseThrow()).doesNotContain("Repair 6");
  }

  @Test
  void digest_weekWithoutTitles_tellsTheOutcomesAlone() {
    TocNode day = titled(node(0, List.of(), subjects(0, 1)), "Monday, January 12, 2026");

    assertThat(ofStrands(TocLevel.WEEK, PeriodPart.of(day, new Strand("a", ""))).prose())
        .contains("The harbour crane was repaired.");
  }

  @Test
  void digest_weekWithoutTitleAndOutcome_hasNoProse() {
    TocNode day = node(0, List.of(), List.of(bullet(1, "Asked: Repair the harbour crane.", 0.6)));

    assertThat(ofStrands(TocLevel.WEEK, PeriodPart.of(day, new Strand("a", ""))).prose()).isEmpty();
  }

  @Test
  void digest_eachOfPeriods_namesNoDates() {
    TocNode day = node(NodeId.day(LocalDate.of(2026, 1, 30)), "Friday, January 30, 2026");

    assertThat(whole(TocLevel.WEEK, List.of(day)).prose())
        .contains("The harbour crane was repaired.");
  }

  @Test
  void digest_month_tellsWhatMattersMost_inItsBulletsInOrder() {
    var parts = new ArrayList<PeriodPart>();
    for (int week = 0; week < 3; week++) {
      List<Bullet> said =
          List.of(
              bullet(10 + week, "The " + SUBJECTS.get(week) + " was repaired", 0.5 + 0.1 * week),
              bullet(20 + week, "Asked: Repair the " + SUBJECTS.get(5 + week) + ".", 0.95),
              bullet(30 + week, "Open: the " + SUBJECTS.get(9 + week), 0.95),
              bullet(40 + week, "Which " + SUBJECTS.get(12 + week) + " is it?", 0.95));
      parts.add(PeriodPart.of(node(week, List.of(), said), new Strand("s" + week, "Title")));
    }

    Digest month = ofStrands(TocLevel.MONTH, parts.toArray(PeriodPart[]::new));
    assertThat(month.prose())
        .contains(
            "The harbour crane was repaired. The violin lesson was repaired."
                + " The invoice parser was repaired.");
    assertThat(month.bullets()).extracting(Bullet::text).contains("The violin lesson was repaired");
  }

  @Test
  void digest_month_hasFourSentences_andNoStrandTakesAll() {
    var loud = new Strand("loud", "");
    var parts = new ArrayList<PeriodPart>();
    for (int week = 0; week < 2; week++) {
      var bullets = new ArrayList<Bullet>(subjects(week * 6, 6, 0.9));
      var strands = new ArrayList<Strand>(List.of(loud, loud, loud, loud, loud, loud));
      bullets.add(bullet(50 + week, "The " + SUBJECTS.get(12 + week) + " was repaired.", 0.65));
      strands.add(new Strand("quiet " + week, ""));
      parts.add(new PeriodPart(node(week, List.of(), bullets), strands));
    }

    String prose =
        ofStrands(TocLevel.MONTH, parts.toArray(PeriodPart[]::new)).prose().orElseThrow();
    assertThat(prose).contains(SUBJECTS.get(12), SUBJECTS.get(13));
    assertThat(prose.split("repaired\\.", -1)).hasSize(5);
  }

  @Test
  void digest_month_prefersADecisionWithItsReason() {
    var week =
        node(
            0,
            List.of(),
            List.of(
                bullet(1, "The harbour crane stands at pier four.", 0.6),
                bullet(2, "A violin lesson costs thirty euros.", 0.6),
                bullet(3, "Garden fences are two metres high.", 0.6),
                bullet(4, "Cheese ripens at eight degrees.", 0.6),
                bullet(5, "We chose the short route, because the bridge is closed.", 0.5)));

    assertThat(whole(TocLevel.MONTH, List.of(week)).prose().orElseThrow())
        .contains("We chose the short route");
  }

  @Test
  void digest_week_prefersWhatTheAgentSaysOfAStrandToWhatItsUserSays() {
    var bullets = new ArrayList<Bullet>();
    for (int i = 0; i < 8; i++) {
      bullets.add(bullet(i, "User: The " + SUBJECTS.get(i) + " is loud.", 0.7));
    }
    Bullet answer = bullet(90, "A worn bearing makes all the noise.", 0.5);
    TocNode alone = node(0, List.of(), bullets);
    bullets.add(answer);
    TocNode answered = node(0, List.of(), bullets);

    assertThat(digest(TocLevel.WEEK, List.of(alone))).hasSize(6);
    assertThat(digest(TocLevel.DAY, List.of(answered)).getFirst()).isNotEqualTo(answer);
    assertThat(ofStrands(TocLevel.WEEK, PeriodPart.of(answered, new Strand("a", ""))).bullets())
        .contains(answer);
  }

  @Test
  void digest_openItemThatALaterBulletTellsOf_isLeftOut() {
    Bullet open = at(1, "Open: the alarm for evictions of the cache", 0.9, 9);
    Bullet done = at(2, "The alarm for evictions fires above 50 a second.", 0.6, 11);

    for (TocLevel level : TocLevel.PERIODS) {
      assertThat(digest(level, List.of(node(0, List.of(), List.of(open, done)))))
          .as("%s", level)
          .containsExactly(done);
    }
  }

  @Test
  void digest_openItem_isKeptWhenNothingLaterSaysThatItIsDone() {
    Bullet open = at(1, "Open: the alarm for evictions of the cache", 0.9, 9);
    List<Bullet> others =
        List.of(
            at(2, "The alarm for evictions fires above 50 a second.", 0.6, 8),
            at(3, "I have not added the alarm for evictions.", 0.6, 11),
            at(4, "The alarm for evictions is still missing.", 0.6, 11),
            at(5, "Asked: Add the alarm for evictions.", 0.6, 11),
            at(6, "The alarm of the door is loud.", 0.6, 11));

    for (Bullet other : others) {
      assertThat(digest(TocLevel.WEEK, List.of(node(0, List.of(), List.of(open, other)))))
          .as("%s", other)
          .contains(open);
    }
  }

  @Test
  void digest_keywordOfASalientBullet_comesBeforeOneRankedFirstByItsPart() {
    TocNode day =
        node(
            0,
            List.of("lunch", "Flyway"),
            List.of(
                bullet(1, "Decided to migrate with Flyway.", 0.95),
                bullet(2, "There was lunch.", 0.2)));

    assertThat(whole(TocLevel.WEEK, List.of(day)).keywords()).containsExactly("Flyway", "lunch");
  }

  @Test
  void digest_bullets_areSortedBySalience() {
    assertThat(digest(TocLevel.YEAR, List.of(node(0, List.of(), subjects(0, 20)))))
        .isSortedAccordingTo((one, other) -> Double.compare(other.salience(), one.salience()));
  }

  @Test
  void digest_keywords_comeFromSalientChildrenBeforeFrequentOnes() {
    List<TocNode> children = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      children.add(
          node(i, List.of("chatter"), List.of(bullet(i, "Nothing in room " + i + ".", 0.1))));
    }
    children.add(
        node(7, List.of("Flyway", "PostgreSQL"), List.of(bullet(70, "Decided on Flyway.", 0.95))));
    List<String> keywords = whole(TocLevel.WEEK, children).keywords();
    assertThat(keywords).startsWith("Flyway").contains("chatter").doesNotHaveDuplicates();
  }

  @Test
  void digest_countlessChildren_stillFindsTheSalientOne() {
    List<TocNode> children = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      children.add(node(i, List.of(), List.of(bullet(i, "Room " + i + " was swept.", 0.3))));
    }
    children.add(node(2000, List.of(), List.of(bullet(2000, "The roof has burned down.", 0.9))));
    assertThat(digest(TocLevel.DAY, children).getFirst().text())
        .isEqualTo("The roof has burned down.");
  }

  @Test
  void digest_bulletWithoutGrip_isLeftOut() {
    TocNode child = node(0, List.of(), List.of(new Bullet("Said by nobody.", List.of(), 1)));
    assertThat(digest(TocLevel.DAY, List.of(child))).isEmpty();
  }

  private static List<Bullet> digest(TocLevel level, List<TocNode> children) {
    return whole(level, children).bullets();
  }

  private static Digest whole(TocLevel level, List<TocNode> children) {
    return new ExtractiveSummarizer().digest(level, PeriodPart.each(children));
  }

  private static Digest ofStrands(TocLevel level, PeriodPart... parts) {
    return new ExtractiveSummarizer().digest(level, List.of(parts));
  }

  private static List<Bullet> subjects(int from, int count) {
    return subjects(from, count, 0.6);
  }

  private static List<Bullet> subjects(int from, int count, double salience) {
    var bullets = new ArrayList<Bullet>();
    for (int i = from; i < from + count; i++) {
      bullets.add(bullet(i, "The " + SUBJECTS.get(i) + " was repaired.", salience - i * 0.001));
    }
    return bullets;
  }

  private static Bullet bullet(int number, String text, double salience) {
    return new Bullet(text, List.of(grip(number)), salience);
  }

  /// A bullet of something that was said at an hour.
  private static Bullet at(int number, String text, double salience, int hour) {
    Instant time = Instant.parse("2026-01-30T00:00:00Z").plus(Duration.ofHours(hour));
    return new Bullet(text, List.of(GripId.of(time, id(number))), salience);
  }

  private static GripId grip(int number) {
    return GripId.of(START, id(number));
  }

  private static EventId id(int number) {
    return new EventId("01" + "0".repeat(19) + (10_000 + number));
  }

  private static TocNode node(int number, List<String> keywords, List<Bullet> bullets) {
    return new TocNode(
        NodeId.segment(LocalDate.of(2026, 1, 30), id(number)),
        "title",
        Optional.empty(),
        bullets,
        keywords,
        List.of(),
        new Span(START, START),
        new Edition(1, START, false, "extractive"));
  }

  private static TocNode node(NodeId id, String title) {
    TocNode node = node(0, List.of(), subjects(0, 1));
    return new TocNode(
        id,
        title,
        node.summary(),
        node.bullets(),
        node.keywords(),
        node.children(),
        node.span(),
        node.edition());
  }

  private static TocNode titled(TocNode node, String title) {
    return new TocNode(
        node.id(),
        title,
        node.summary(),
        node.bullets(),
        node.keywords(),
        node.children(),
        node.span(),
        node.edition());
  }

  /// The node with seven days below it.
  private static TocNode ofAWeek(TocNode node) {
    List<NodeId> days =
        LocalDate.of(2026, 1, 26).datesUntil(LocalDate.of(2026, 2, 2)).map(NodeId::day).toList();
    return new TocNode(
        node.id(),
        node.title(),
        node.summary(),
        node.bullets(),
        node.keywords(),
        days,
        node.span(),
        node.edition());
  }
}
