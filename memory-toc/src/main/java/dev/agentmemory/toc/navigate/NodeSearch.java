package dev.agentmemory.toc.navigate;

import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Searches the text of a node for the words of a query. A word matches a word that begins with it,
/// or of which it is an inflected form; scripts without spaces match anywhere. The score of a part
/// is the share of the query's words that it contains, times its field's weight.
final class NodeSearch {

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final int STEM = 4;
  private static final Comparator<NodeMatch> BEST_FIRST =
      Comparator.comparingDouble(NodeMatch::score)
          .reversed()
          .thenComparing(NodeMatch::field)
          .thenComparing(NodeMatch::text);

  private final Set<String> query;
  private final Set<NodeField> fields;

  NodeSearch(NodeQuery query) {
    this.query = words(query.text());
    this.fields = query.fields();
  }

  /// @return the pieces that hold at least one word, the best first
  List<NodeMatch> matches(TocNode node) {
    List<NodeMatch> found = new ArrayList<>();
    add(found, NodeField.TITLE, node.title(), List.of());
    node.summary().ifPresent(summary -> add(found, NodeField.SUMMARY, summary, List.of()));
    for (Bullet bullet : node.bullets()) {
      add(found, NodeField.BULLETS, bullet.text(), bullet.grips());
    }
    for (String keyword : node.keywords()) {
      add(found, NodeField.KEYWORDS, keyword, List.of());
    }
    found.sort(BEST_FIRST);
    return found;
  }

  /// How well a node as a whole answers: the share of the query's words that its matches hold
  /// together, then how good its best match is.
  double relevance(List<NodeMatch> matches) {
    String all = matches.stream().map(NodeMatch::text).collect(Collectors.joining("\n"));
    return share(all) + matches.getFirst().score();
  }

  private void add(List<NodeMatch> found, NodeField field, String text, List<GripId> grips) {
    if (!fields.contains(field)) {
      return;
    }
    double score = share(text) * weight(field);
    if (score > 0) {
      found.add(new NodeMatch(field, text, grips, score));
    }
  }

  private double share(String text) {
    if (query.isEmpty()) {
      return 0;
    }
    Set<String> held = words(text);
    String lower = text.toLowerCase(Locale.ROOT);
    long hits = query.stream().filter(word -> holds(held, lower, word)).count();
    return (double) hits / query.size();
  }

  private static boolean holds(Set<String> held, String text, String word) {
    if (word.codePoints().anyMatch(Character::isIdeographic)) {
      return text.contains(word);
    }
    return held.contains(word) || held.stream().anyMatch(other -> related(other, word));
  }

  private static boolean related(String held, String word) {
    if (held.startsWith(word)) {
      return true;
    }
    int stem = Math.max(STEM, word.length() - 2);
    return word.length() > stem
        && held.length() <= word.length() + 2
        && held.startsWith(word.substring(0, stem));
  }

  private static Set<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  private static double weight(NodeField field) {
    return switch (field) {
      case TITLE -> 1.0;
      case KEYWORDS -> 0.9;
      case BULLETS -> 0.8;
      case SUMMARY -> 0.7;
    };
  }
}
