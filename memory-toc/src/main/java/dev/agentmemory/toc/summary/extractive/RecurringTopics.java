package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The strands of a period: what went on over several of its parts, and what became of it. A strand
/// is a keyword of a part that bullets of at least two parts mention; what became of it is the best
/// bullet of the period that mentions it, word for word: `retry policy: Decided on a retry policy
/// with full jitter. booking_stay: A new table booking_stay holds ranges of nights.` So each claim
/// of the prose is a bullet, with its grips.
final class RecurringTopics {

  private static final int MOST = 4;
  private static final double OVERLAP = 0.5;
  private static final int SHORTEST = 3;
  private static final double TELLING = 1.4;

  /// A keyword and where it comes up.
  ///
  /// @param bullets the bullets that mention it, by their places
  /// @param weight sum over the parts of the salience of the best bullet that mentions it
  private record Named(String name, List<TocNode> parts, Set<String> bullets, double weight) {}

  private RecurringTopics() {}

  /// @param children the parts of a week, a month or a year
  /// @param told the bullets of the period, best first
  /// @return empty when nothing went on for longer than one part
  static Optional<String> prose(List<TocNode> children, List<Bullet> told) {
    List<List<String>> said = children.stream().map(RecurringTopics::lower).toList();
    var named = new ArrayList<Named>();
    for (Map.Entry<String, String> keyword : keywords(children).entrySet()) {
      Named strand = named(keyword.getKey(), keyword.getValue(), children, said);
      if (strand.parts().size() > 1) {
        named.add(strand);
      }
    }
    named.sort(Comparator.comparingDouble(Named::weight).reversed().thenComparing(Named::name));
    var left = new ArrayList<Bullet>(told);
    var sentences = new ArrayList<String>();
    for (Named strand : distinct(named)) {
      outcome(strand, left)
          .ifPresent(bullet -> {
            left.remove(bullet);
            sentences.add(strand.name() + ": " + sentence(bullet.text()));
          });
    }
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
  }

  private static Optional<Bullet> outcome(Named strand, List<Bullet> bullets) {
    String key = strand.name().toLowerCase(Locale.ROOT);
    return bullets.stream()
        .filter(bullet -> mentions(bullet.text().toLowerCase(Locale.ROOT), key))
        .findFirst();
  }

  /// A text that ends like a sentence.
  static String sentence(String text) {
    return text.isEmpty() || ".!?…。！？".indexOf(text.charAt(text.length() - 1)) >= 0
        ? text
        : text + ".";
  }

  /// The texts of a node's bullets in lower case.
  static List<String> lower(TocNode child) {
    return child.bullets().stream().map(b -> b.text().toLowerCase(Locale.ROOT)).toList();
  }

  /// The keywords of all parts in lower case, each with its first spelling.
  private static Map<String, String> keywords(List<TocNode> children) {
    var keywords = new LinkedHashMap<String, String>();
    for (TocNode child : children) {
      for (String keyword : child.keywords()) {
        if (keyword.length() >= SHORTEST) {
          keywords.putIfAbsent(keyword.toLowerCase(Locale.ROOT), keyword);
        }
      }
    }
    return keywords;
  }

  private static Named named(
      String key, String name, List<TocNode> children, List<List<String>> said) {
    var parts = new ArrayList<TocNode>();
    var bullets = new HashSet<String>();
    double weight = 0;
    for (int part = 0; part < children.size(); part++) {
      double best = 0;
      for (int i = 0; i < said.get(part).size(); i++) {
        Bullet bullet = children.get(part).bullets().get(i);
        if (mentions(said.get(part).get(i), key)) {
          bullets.add(part + ":" + i);
          best = Math.max(best, bullet.salience());
        }
      }
      if (best > 0) {
        parts.add(children.get(part));
        weight += best;
      }
    }
    return new Named(name, parts, bullets, isTelling(name) ? TELLING * weight : weight);
  }

  /// Whether it is more than one plain word.
  private static boolean isTelling(String name) {
    return !name.substring(1).chars().allMatch(Character::isLowerCase);
  }

  /// Of names that the same bullets mention, the first.
  private static List<Named> distinct(List<Named> named) {
    var chosen = new ArrayList<Named>();
    var told = new HashSet<String>();
    for (Named one : named) {
      long again = one.bullets().stream().filter(told::contains).count();
      if (chosen.size() < MOST && again <= OVERLAP * one.bullets().size()) {
        chosen.add(one);
        told.addAll(one.bullets());
      }
    }
    return chosen;
  }

  /// Whether a text has a keyword as a word, in singular or plural.
  ///
  /// @param text in lower case
  /// @param key in lower case
  static boolean mentions(String text, String key) {
    boolean plural = key.length() > SHORTEST && key.endsWith("s") && !key.endsWith("ss");
    String stem = plural ? key.substring(0, key.length() - 1) : key;
    for (int at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
      int end = at + stem.length();
      end = text.startsWith("s", end) ? end + 1 : end;
      boolean starts = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
      boolean ends = end == text.length() || !Character.isLetterOrDigit(text.charAt(end));
      if (starts && ends) {
        return true;
      }
    }
    return false;
  }
}
