package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
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

  /// Sessions that a day names.
  private static final int MAX_TITLES = 6;

  private PeriodDigest() {}

  static Digest of(TocLevel level, List<TocNode> children) {
    List<Bullet> bullets = bullets(children, Digest.mostBullets(level), firstWord(level));
    return new Digest(prose(level, children, bullets), bullets, keywords(children, bullets));
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

  /// A day names its sessions, a longer period what went on over several of its parts.
  private static Optional<String> prose(
      TocLevel level, List<TocNode> children, List<Bullet> bullets) {
    return switch (level) {
      case SEGMENT, DAY -> sessions(children);
      case WEEK, MONTH, YEAR -> RecurringTopics.prose(children, bullets);
    };
  }

  /// The titles of the most salient sessions, in the order of time.
  private static Optional<String> sessions(List<TocNode> children) {
    double[] ascending = children.stream().mapToDouble(PeriodDigest::loudest).sorted().toArray();
    double least = ascending.length <= MAX_TITLES ? 0 : ascending[ascending.length - MAX_TITLES];
    List<String> titles =
        children.stream()
            .filter(child -> !child.bullets().isEmpty() && loudest(child) >= least)
            .map(TocNode::title)
            .distinct()
            .limit(MAX_TITLES)
            .toList();
    return titles.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", titles));
  }

  private static double loudest(TocNode child) {
    return child.bullets().stream().mapToDouble(Bullet::salience).max().orElse(0);
  }

  /// A child's bullet while others are being chosen.
  private static final class Candidate {
    private final Bullet bullet;
    private final int child;
    private final double share;
    private final Set<String> keys;
    private double likeness;

    Candidate(Bullet bullet, int child, double share) {
      this.bullet = bullet;
      this.child = child;
      this.share = share;
      this.keys = keys(bullet.text());
    }

    double worth(Map<Integer, Integer> taken, double firstWord) {
      int heard = taken.getOrDefault(child, 0);
      double first = heard == 0 ? firstWord : 0;
      return bullet.salience() + first - ALIKE * likeness - CROWDED * heard / share;
    }
  }

  private static List<Bullet> bullets(List<TocNode> children, int limit, double firstWord) {
    List<Candidate> left = candidates(children);
    var taken = new HashMap<Integer, Integer>();
    var chosen = new ArrayList<Bullet>();
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
      chosen.add(merged(best, same));
      taken.merge(best.child, 1, Integer::sum);
      left = rest;
    }
    chosen.sort(Comparator.comparingDouble(Bullet::salience).reversed());
    return chosen;
  }

  /// A busy child may give more than a quiet one, but less than in proportion.
  private static List<Candidate> candidates(List<TocNode> children) {
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
          candidates.add(new Candidate(bullet, child, share));
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
