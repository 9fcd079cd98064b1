package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Summarises a period with the best bullets of its parts: salient ones, different ones, and some
/// of every part that has something to say.
final class PeriodDigest {

  /// Of a period with countless parts only about as many bullets are compared, the salient ones.
  private static final int MAX_CANDIDATES = 500;

  private static final double SAME = 0.8;
  private static final double ALIKE = 0.5;
  private static final double CROWDED = 0.25;
  private static final double REPEATED = 0.05;
  private static final double SAID = 1.5;
  private static final double UNSAID = 0.4;

  private static final int LEAST_OF_A_DAY = 5;

  private PeriodDigest() {}

  /// A bullet of the period.
  ///
  /// @param part the place of the part that it is taken from
  record Told(Bullet bullet, int part) {}

  static Digest of(TocLevel level, List<PeriodPart> parts) {
    List<TocNode> children = parts.stream().map(PeriodPart::node).toList();
    int[] strands = DayStrands.of(parts);
    List<Told> told = told(children, strands, mostBullets(level, strands), firstWord(level));
    List<Bullet> bullets = told.stream().map(Told::bullet).toList();
    Optional<String> prose =
        level == TocLevel.DAY
            ? new DayStrands(children, strands).prose(told)
            : RecurringTopics.prose(children, bullets);
    return new Digest(prose, bullets, keywords(children, bullets));
  }

  /// A day has one bullet more for each strand beside the first few.
  private static int mostBullets(TocLevel level, int[] strands) {
    int most = Digest.mostBullets(level);
    int distinct = (int) Arrays.stream(strands).distinct().count();
    return level == TocLevel.DAY ? Math.clamp(distinct + 2, LEAST_OF_A_DAY, most) : most;
  }

  /// How much a part that has not been heard is preferred. A day tells what mattered most, whenever
  /// it was; of a month or a year a reader wants to know what each part was about.
  private static double firstWord(TocLevel level) {
    return switch (level) {
      case SEGMENT, DAY -> 0;
      case WEEK -> 0.15;
      case MONTH, YEAR -> 0.35;
    };
  }

  /// The salience of its best bullet.
  static double loudest(TocNode child) {
    return child.bullets().stream().mapToDouble(Bullet::salience).max().orElse(0);
  }

  /// A child's bullet while others are being chosen.
  private static final class Candidate {
    private final Bullet bullet;
    private final int part;
    private final int strand;
    private final double share;
    private final Set<String> keys;
    private double likeness;

    Candidate(Bullet bullet, int part, int strand, double share) {
      this.bullet = bullet;
      this.part = part;
      this.strand = strand;
      this.share = share;
      this.keys = keys(bullet.text());
    }

    double worth(Map<Integer, Integer> taken, double firstWord) {
      int heard = taken.getOrDefault(strand, 0);
      double first = heard == 0 ? firstWord : 0;
      return bullet.salience() + first - ALIKE * likeness - CROWDED * heard / share;
    }
  }

  private static List<Told> told(
      List<TocNode> children, int[] strands, int limit, double firstWord) {
    List<Candidate> left = candidates(children, strands);
    var taken = new HashMap<Integer, Integer>();
    var chosen = new ArrayList<Told>();
    while (chosen.size() < limit && !left.isEmpty()) {
      Candidate best = left.getFirst();
      for (Candidate other : left) {
        best = other.worth(taken, firstWord) > best.worth(taken, firstWord) ? other : best;
      }
      var same = new ArrayList<Candidate>();
      var rest = new ArrayList<Candidate>();
      for (Candidate other : left) {
        double likeness = Picker.similarity(best.keys, other.keys);
        other.likeness = Math.max(other.likeness, likeness);
        boolean equal = likeness >= SAME || other.bullet.text().equals(best.bullet.text());
        (equal || other == best ? same : rest).add(other);
      }
      chosen.add(new Told(merged(best, same), best.part));
      taken.merge(best.strand, 1, Integer::sum);
      left = rest;
    }
    chosen.sort(Comparator.comparingDouble((Told one) -> one.bullet().salience()).reversed());
    return chosen;
  }

  /// A busy child may give more than a quiet one, but less than in proportion.
  private static List<Candidate> candidates(List<TocNode> children, int[] strands) {
    double least = leastSalience(children);
    var candidates = new ArrayList<Candidate>();
    for (int child = 0; child < children.size(); child++) {
      List<Bullet> bullets = children.get(child).bullets();
      double share =
          Math.sqrt(Math.max(1, children.get(child).children().size()) + bullets.size() / 5.0);
      for (Bullet bullet : bullets) {
        // Of equals at the border the first ones enter.
        boolean room = bullet.salience() == least && candidates.size() < MAX_CANDIDATES;
        if ((bullet.salience() > least || room) && !bullet.grips().isEmpty()) {
          candidates.add(new Candidate(bullet, child, strands[child], share));
        }
      }
    }
    return candidates;
  }

  /// The salience of the last bullet that is looked at closely; 0 when all are.
  private static double leastSalience(List<TocNode> children) {
    double[] ascending =
        children.stream()
            .flatMap(child -> child.bullets().stream())
            .mapToDouble(Bullet::salience)
            .sorted()
            .toArray();
    return ascending.length <= MAX_CANDIDATES ? 0 : ascending[ascending.length - MAX_CANDIDATES];
  }

  /// What is said again and again matters a little more.
  private static Bullet merged(Candidate best, List<Candidate> same) {
    var grips = new LinkedHashSet<GripId>(best.bullet.grips());
    for (Candidate other : same) {
      grips.addAll(other.bullet.grips());
    }
    List<GripId> kept = grips.stream().limit(Digest.MOST_GRIPS).toList();
    double louder = best.bullet.salience() + REPEATED * StrictMath.log(same.size());
    double salience = Math.min(1, Math.round(1000 * louder) / 1000.0);
    return new Bullet(best.bullet.text(), kept, salience);
  }

  private static List<String> keywords(List<TocNode> children, List<Bullet> bullets) {
    String said =
        bullets.stream()
            .map(Bullet::text)
            .collect(Collectors.joining("\n"))
            .toLowerCase(Locale.ROOT);
    var scores = new HashMap<String, Double>();
    var spellings = new HashMap<String, String>();
    for (TocNode child : children) {
      List<String> keywords = child.keywords();
      List<String> texts = RecurringTopics.lower(child);
      for (int rank = 0; rank < keywords.size(); rank++) {
        String key = keywords.get(rank).toLowerCase(Locale.ROOT);
        spellings.putIfAbsent(key, keywords.get(rank));
        double worth = (0.2 + salience(child, texts, key)) / (1 + 0.25 * rank);
        // The best place counts most; being in many parts helps, but never as much.
        scores.merge(key, worth, (old, more) -> Math.max(old, more) + 0.15 * Math.min(old, more));
      }
    }
    scores.replaceAll((key, score) -> said.contains(key) ? score * SAID : score);
    return scores.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(Keywords.MAX)
        .map(entry -> spellings.getOrDefault(entry.getKey(), entry.getKey()))
        .toList();
  }

  /// That of the best bullet that has the keyword; of one that no bullet has, little.
  ///
  /// @param texts those of the part's bullets in lower case
  private static double salience(TocNode child, List<String> texts, String key) {
    double most = 0;
    for (int i = 0; i < texts.size(); i++) {
      double salience = child.bullets().get(i).salience();
      most = salience > most && RecurringTopics.mentions(texts.get(i), key) ? salience : most;
    }
    return most > 0 ? most : UNSAID * loudest(child);
  }

  private static Set<String> keys(String text) {
    var keys = new LinkedHashSet<String>();
    for (Term term : Terms.of(text)) {
      if (term.isContent() && !term.part()) {
        keys.add(term.key());
      }
    }
    return keys;
  }
}
