package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocLevel;
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
import java.util.stream.Collectors;

/// What went on over several parts of a period, by name: `Several days: idempotency key (Monday,
/// Tuesday); booking_stay (Wednesday, Thursday).` A thread is a keyword of a part that bullets of
/// at least two parts mention; so a reader of those parts finds it there.
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
  /// @return empty when nothing went on for longer than one part
  static Optional<String> prose(TocLevel level, List<TocNode> children) {
    List<List<String>> said = children.stream().map(RecurringTopics::lower).toList();
    var named = new ArrayList<Named>();
    for (Map.Entry<String, String> keyword : keywords(children).entrySet()) {
      Named thread = named(keyword.getKey(), keyword.getValue(), children, said);
      if (thread.parts().size() > 1) {
        named.add(thread);
      }
    }
    named.sort(Comparator.comparingDouble(Named::weight).reversed().thenComparing(Named::name));
    List<Named> chosen = distinct(named);
    return chosen.isEmpty()
        ? Optional.empty()
        : Optional.of(
            chosen.stream()
                .map(thread -> thread.name() + " (" + places(level, thread.parts()) + ")")
                .collect(Collectors.joining("; ", heading(level), ".")));
  }

  private static String heading(TocLevel level) {
    return switch (level) {
      case SEGMENT, DAY -> "Several sessions: ";
      case WEEK -> "Several days: ";
      case MONTH -> "Several weeks: ";
      case YEAR -> "Several months: ";
    };
  }

  /// `Monday, Friday` of days, `Week 3, Week 5` of weeks, `May, June` of months.
  private static String places(TocLevel level, List<TocNode> parts) {
    String border =
        switch (level) {
          case SEGMENT, DAY, WEEK -> ",";
          case MONTH -> " of ";
          case YEAR -> " ";
        };
    return parts.stream()
        .map(part -> part.title().split(border, 2)[0])
        .collect(Collectors.joining(", "));
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
