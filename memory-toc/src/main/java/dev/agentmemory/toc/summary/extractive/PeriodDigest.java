package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.extractive.PeriodBullets.Told;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Summarises a period from its parts: the best of their bullets ([PeriodBullets]), a text made of
/// these ([PeriodText]) and the keywords that they have.
final class PeriodDigest {

  private static final double SAID = 1.5;
  private static final double UNSAID = 0.4;
  private static final int SHORTEST = 3;

  private PeriodDigest() {}

  static Digest of(TocLevel level, List<PeriodPart> parts, PeriodBullets.Readings readings) {
    var bullets = new PeriodBullets(level, parts, readings);
    List<Told> told = bullets.chosen();
    List<Bullet> best = told.stream().map(Told::bullet).sorted(PeriodBullets.BEST_FIRST).toList();
    List<TocNode> children = parts.stream().map(PeriodPart::node).toList();
    return new Digest(PeriodText.of(level, bullets.all(), told), best, keywords(children, best));
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
      List<String> texts = lower(child);
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
      most = salience > most && mentions(texts.get(i), key) ? salience : most;
    }
    return most > 0 ? most : UNSAID * loudest(child);
  }

  /// The salience of its best bullet.
  private static double loudest(TocNode child) {
    return child.bullets().stream().mapToDouble(Bullet::salience).max().orElse(0);
  }

  /// The texts of a node's bullets in lower case.
  private static List<String> lower(TocNode child) {
    return child.bullets().stream().map(b -> b.text().toLowerCase(Locale.ROOT)).toList();
  }

  /// Whether a text has a keyword as a word, in singular or plural.
  ///
  /// @param text in lower case
  /// @param key in lower case
  private static boolean mentions(String text, String key) {
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
