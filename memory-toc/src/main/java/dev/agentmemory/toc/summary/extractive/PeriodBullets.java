package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.OpenItems;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Strand;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Chooses the bullets of a period among those of its parts, each time the one that is worth most
/// beside those that were chosen. A day tells what mattered most, whenever it was. A longer period
/// prefers what came out to what was wanted, strands that it has not told of, and parts that it has
/// not told of, so that no strand and no part takes all of its bullets.
final class PeriodBullets {

  /// Of a period with countless parts only about as many bullets are compared, the salient ones.
  private static final int MAX_CANDIDATES = 500;

  private static final double SAME = 0.8;
  private static final double ALIKE = 0.5;
  private static final double CROWDED = 0.25;
  private static final double REPEATED = 0.05;

  private static final double NEW_STRAND = 0.3;
  private static final double AGAIN = 0.15;
  private static final double OUTCOME = 0.1;
  private static final int MOST_OUTCOMES = 2;
  private static final double OPEN = 0.3;
  private static final double WANTED = 1;
  private static final double OF_USER = 0.3;

  private static final double CLOSED = 0.5;
  private static final int LEAST_CLOSED = 2;

  static final Comparator<Bullet> BEST_FIRST =
      Comparator.comparingDouble(Bullet::salience).reversed();

  /// The order in which bullets were said.
  static final Comparator<Told> IN_ORDER =
      Comparator.comparingInt(Told::part).thenComparing(Told::time);

  private static final int LEAST_OF_A_DAY = 5;
  private static final int BESIDE_STRANDS = 2;

  /// What sections of cues a result, a decision with its reason or a cause has words of.
  private static final Set<String> OUTCOMES = Set.of("decision", "cause", "fix", "result");

  private final TocLevel level;
  private final List<Told> all = new ArrayList<>();
  private final List<Candidate> candidates = new ArrayList<>();

  /// Strands of which somebody else than their user tells what came out.
  private final Set<String> answered = new HashSet<>();

  private final Map<String, Integer> ofStrands = new HashMap<>();
  private final Map<Integer, Integer> ofParts = new HashMap<>();

  /// A bullet of a part.
  ///
  /// @param part the place of the part in the period
  /// @param work that it tells of
  record Told(Bullet bullet, int part, Strand work) {

    /// The id of the work.
    String strand() {
      return work.id();
    }

    /// When it was said.
    Instant time() {
      return bullet.grips().getFirst().time();
    }

    /// Whether it says what was asked for.
    boolean isAsked() {
      return WorkStatements.isAsked(bullet.text());
    }

    /// Whether it says what came out.
    boolean isOutcome() {
      return isStated() && !OpenItems.isOpen(bullet.text());
    }

    private boolean isStated() {
      return !isAsked() && !bullet.text().endsWith("?");
    }

    Told with(Bullet changed) {
      return new Told(changed, part, work);
    }
  }

  /// What the words of a bullet tell.
  ///
  /// @param keys those of its content terms
  /// @param cues sections of cues that it has words of
  /// @param open whether it says that something is left to do
  private record Reading(Set<String> keys, Set<String> cues, boolean open) {

    static Reading of(String text) {
      var keys = new HashSet<String>();
      var cues = new HashSet<String>();
      for (Term term : Terms.of(text)) {
        if (!term.part()) {
          cues.add(Cues.section(term));
          if (term.isContent()) {
            keys.add(term.key());
          }
        }
      }
      cues.retainAll(OUTCOMES);
      return new Reading(Set.copyOf(keys), Set.copyOf(cues), OpenItems.isOpen(text));
    }
  }

  /// The bullets of days that were read last: they are read again for the week, the month and the
  /// year. Those of a day's segments are not kept. May be used by several threads at a time.
  static final class Readings {

    private static final int REMEMBERED = 1000;

    private final Map<String, Reading> known =
        Collections.synchronizedMap(
            new LinkedHashMap<>() {
              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Reading> eldest) {
                return size() > REMEMBERED;
              }
            });

    private Reading of(TocLevel period, String text) {
      if (period == TocLevel.DAY) {
        return Reading.of(text);
      }
      Reading reading = known.get(text);
      if (reading == null) {
        reading = Reading.of(text);
        known.put(text, reading);
      }
      return reading;
    }
  }

  /// A bullet while others are being chosen.
  private static final class Candidate {
    private final Told told;
    private final double share;
    private final Reading read;
    private final boolean outcome;
    private double likeness;

    Candidate(Told told, double share, Reading read) {
      this.told = told;
      this.share = share;
      this.read = read;
      this.outcome = told.isStated() && !read.open;
    }

    double salience() {
      return told.bullet.salience();
    }

    String text() {
      return told.bullet.text();
    }
  }

  PeriodBullets(TocLevel level, List<PeriodPart> parts, Readings readings) {
    this.level = level;
    double least = leastSalience(parts);
    for (int part = 0; part < parts.size(); part++) {
      TocNode node = parts.get(part).node();
      // A busy part may give more than a quiet one, but less than in proportion.
      double share = Math.sqrt(Math.max(1, node.children().size()) + node.bullets().size() / 5.0);
      for (int place = 0; place < node.bullets().size(); place++) {
        Bullet bullet = node.bullets().get(place);
        if (!bullet.grips().isEmpty()) {
          var told = new Told(bullet, part, parts.get(part).strands().get(place));
          all.add(told);
          // Of equals at the border the first ones enter.
          boolean room = bullet.salience() == least && candidates.size() < MAX_CANDIDATES;
          if (bullet.salience() > least || room) {
            candidates.add(new Candidate(told, share, readings.of(level, bullet.text())));
          }
        }
      }
    }
    candidates.removeAll(closed());
    for (Candidate candidate : candidates) {
      if (candidate.outcome && !isOfUser(candidate)) {
        answered.add(candidate.told.strand());
      }
    }
  }

  private static boolean isOfUser(Candidate candidate) {
    return candidate.text().startsWith(SpokenTurn.USER);
  }

  /// The salience of the last bullet that is looked at closely; 0 when all are.
  private static double leastSalience(List<PeriodPart> parts) {
    double[] ascending =
        parts.stream()
            .flatMap(part -> part.node().bullets().stream())
            .mapToDouble(Bullet::salience)
            .sorted()
            .toArray();
    return ascending.length <= MAX_CANDIDATES ? 0 : ascending[ascending.length - MAX_CANDIDATES];
  }

  /// Open items about which a later bullet tells something else than that they are open.
  private List<Candidate> closed() {
    return candidates.stream().filter(item -> item.read.open && isClosed(item)).toList();
  }

  private boolean isClosed(Candidate item) {
    Set<String> subject = subject(item);
    return candidates.stream()
        .filter(later -> later.outcome && later.told.time().isAfter(item.told.time()))
        .anyMatch(later -> tellsOf(later, subject) && !OpenItems.denies(later.text()));
  }

  private static boolean tellsOf(Candidate later, Set<String> subject) {
    long shared = subject.stream().filter(later.read.keys::contains).count();
    return shared >= LEAST_CLOSED && shared >= CLOSED * subject.size();
  }

  /// What an open item is about, without the words for its state.
  private static Set<String> subject(Candidate item) {
    var subject = new HashSet<String>();
    for (Term term : Terms.of(OpenItems.subject(item.text()))) {
      boolean state = OUTCOMES.contains(Cues.section(term));
      if (term.isContent() && !term.part() && !state && term.kind() != Term.Kind.GENERIC) {
        subject.add(term.key());
      }
    }
    return subject;
  }

  /// The bullets of the parts, in the order of the parts.
  List<Told> all() {
    return all;
  }

  /// The bullets of the period, in the order of choice.
  List<Told> chosen() {
    List<Candidate> left = candidates;
    var chosen = new ArrayList<Told>();
    int limit = limit();
    while (chosen.size() < limit && !left.isEmpty()) {
      Candidate best = best(left);
      var same = new ArrayList<Candidate>();
      var rest = new ArrayList<Candidate>();
      for (Candidate other : left) {
        double likeness = Picker.similarity(best.read.keys, other.read.keys);
        other.likeness = Math.max(other.likeness, likeness);
        boolean equal = likeness >= SAME || other.text().equals(best.text());
        (equal || other == best ? same : rest).add(other);
      }
      chosen.add(best.told.with(merged(best, same)));
      ofStrands.merge(best.told.strand(), 1, Integer::sum);
      ofParts.merge(best.told.part, 1, Integer::sum);
      left = rest;
    }
    return chosen;
  }

  /// A day has one bullet more for each strand beside the first few.
  private int limit() {
    int most = Digest.mostBullets(level);
    int strands = (int) all.stream().map(Told::strand).distinct().count();
    return level == TocLevel.DAY
        ? Math.clamp(strands + BESIDE_STRANDS, LEAST_OF_A_DAY, most)
        : most;
  }

  private Candidate best(List<Candidate> left) {
    Candidate best = left.getFirst();
    double most = worth(best);
    for (Candidate other : left) {
      double worth = worth(other);
      if (worth > most) {
        best = other;
        most = worth;
      }
    }
    return best;
  }

  private double worth(Candidate bullet) {
    int ofStrand = ofStrands.getOrDefault(bullet.told.strand(), 0);
    int ofPart = ofParts.getOrDefault(bullet.told.part, 0);
    double worth = bullet.salience() - ALIKE * bullet.likeness;
    return switch (level) {
      case SEGMENT, DAY -> worth - CROWDED * ofStrand / bullet.share;
      case WEEK, MONTH, YEAR ->
          worth
              + outcome(bullet)
              + (ofPart == 0 ? newPart() : 0)
              + (ofStrand == 0 ? NEW_STRAND : 0)
              - CROWDED * ofPart / bullet.share
              - AGAIN * ofStrand;
    };
  }

  /// A month or a year should tell of each of its parts, a week of each strand rather than each
  /// day.
  private double newPart() {
    return level == TocLevel.WEEK ? 0.1 : 0.35;
  }

  /// How much a bullet is preferred because it says what came out. What is open matters in the
  /// week.
  private double outcome(Candidate bullet) {
    if (bullet.outcome) {
      boolean told = isOfUser(bullet) && answered.contains(bullet.told.strand());
      return OUTCOME * Math.min(bullet.read.cues.size(), MOST_OUTCOMES) - (told ? OF_USER : 0);
    }
    return -(bullet.told.isAsked() || level != TocLevel.WEEK ? WANTED : OPEN);
  }

  /// What is said again and again matters a little more.
  private static Bullet merged(Candidate best, List<Candidate> same) {
    var grips = new LinkedHashSet<GripId>(best.told.bullet.grips());
    for (Candidate other : same) {
      grips.addAll(other.told.bullet.grips());
    }
    List<GripId> kept = grips.stream().limit(Digest.MOST_GRIPS).toList();
    double louder = best.salience() + REPEATED * StrictMath.log(same.size());
    double salience = Math.min(1, Math.round(1000 * louder) / 1000.0);
    return new Bullet(best.text(), kept, salience);
  }
}
