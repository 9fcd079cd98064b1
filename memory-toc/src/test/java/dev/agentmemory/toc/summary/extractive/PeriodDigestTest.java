package dev.agentmemory.toc.summary.extractive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
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
                        new PeriodPart(retry, "a"),
                        new PeriodPart(search, "b"),
                        new PeriodPart(later, "a")))
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
  void digest_week_tellsWhatBecameOfWhatWentOnOverSeveralDays() {
    TocNode monday =
        node(
            0,
            List.of("retry policy", "Vienna"),
            List.of(
                bullet(1, "Decided on a retry policy with full jitter.", 0.9),
                bullet(2, "The flaky test depends on the zone of Vienna.", 0.8)));
    TocNode tuesday =
        node(
            1,
            List.of("booking_stay"),
            List.of(
                bullet(3, "The retry policy has tests without any waiting.", 0.7),
                bullet(4, "A new table booking_stay holds ranges of nights.", 0.8)));
    TocNode friday =
        node(2, List.of("release"), List.of(bullet(5, "booking_stay goes live at noon.", 0.6)));

    Optional<String> prose =
        whole(
                TocLevel.WEEK,
                List.of(
                    titled(monday, "Monday, January 12, 2026"),
                    titled(tuesday, "Tuesday, January 13, 2026"),
                    titled(friday, "Friday, January 16, 2026")))
            .prose();

    assertThat(prose)
        .contains(
            "retry policy: Decided on a retry policy with full jitter."
                + " booking_stay: A new table booking_stay holds ranges of nights.");
  }

  @Test
  void digest_prose_claimsOnlyWhatABulletOfThePeriodSays() {
    Digest loud = whole(TocLevel.WEEK, ledger(0.95));
    Digest quiet = whole(TocLevel.WEEK, ledger(0.05));

    assertThat(loud.bullets()).extracting(Bullet::text).contains("The ledger of 2020 lost a cent");
    assertThat(loud.prose()).contains("ledger: The ledger of 2020 lost a cent.");
    assertThat(quiet.bullets()).extracting(Bullet::text).noneMatch(text -> text.contains("ledger"));
    assertThat(quiet.prose()).isEmpty();
  }

  /// Two days that mention the ledger beside other subjects.
  private static List<TocNode> ledger(double salience) {
    var days = new ArrayList<TocNode>();
    for (int day = 0; day < 2; day++) {
      List<Bullet> bullets = new ArrayList<>(subjects(day * 6, 6));
      String text = "The ledger of 202" + day + " lost a cent";
      bullets.add(bullet(200 + day, text, salience - day * 0.01));
      days.add(node(day, List.of("ledger"), bullets));
    }
    return days;
  }

  @Test
  void digest_monthWithoutAThread_hasNoProse() {
    List<TocNode> weeks =
        List.of(
            node(0, List.of("crane"), subjects(0, 2)), node(1, List.of("reef"), subjects(9, 2)));

    assertThat(whole(TocLevel.MONTH, weeks).prose()).isEmpty();
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
