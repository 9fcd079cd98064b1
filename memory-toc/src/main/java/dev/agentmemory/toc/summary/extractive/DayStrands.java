package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.OpenItems;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.extractive.PeriodDigest.Told;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Tells of a day strand by strand: what was wanted, what came out, what is open. A strand is a
/// session with its subagents. What was wanted is the title of its first segment; the rest are
/// bullets of the day, word for word, so each claim has its grips: `Add a retry policy: Decided on
/// full jitter. Open: the flaky test still fails on CI.`
final class DayStrands {

  private static final int MOST = 6;
  private static final int MOST_OUTCOMES = 2;
  private static final String OPEN = "Open:";

  /// What may stand before the words of a person.
  private static final String SPEAKER = "^[^:]{1,40}: ";

  private static final String ENDS = ".!?:…。！？：";

  /// @param place of the first part with something to say
  /// @param wanted the title of that part
  /// @param weight the salience of the best bullet
  private record Strand(int place, String wanted, double weight) {

    Strand and(Strand later) {
      return new Strand(place, wanted, Math.max(weight, later.weight));
    }
  }

  private final int[] strands;
  private final Map<Integer, Strand> said = new HashMap<>();

  /// @param strands of the children, by their places
  DayStrands(List<TocNode> children, int[] strands) {
    this.strands = strands;
    for (int place = 0; place < children.size(); place++) {
      TocNode child = children.get(place);
      if (!child.bullets().isEmpty()) {
        var strand = new Strand(place, child.title(), PeriodDigest.loudest(child));
        said.merge(strands[place], strand, Strand::and);
      }
    }
  }

  /// The number of the strand of each part, in the order in which they begin.
  static int[] of(List<PeriodPart> parts) {
    Map<String, Integer> numbers = new HashMap<>();
    return parts.stream()
        .mapToInt(part -> numbers.computeIfAbsent(part.strand(), _ -> numbers.size()))
        .toArray();
  }

  /// @param told the bullets of the day, best first
  /// @return the strands that matter most, in the order of time; empty when nothing was said
  Optional<String> prose(List<Told> told) {
    List<String> sentences =
        said.values().stream()
            .sorted(
                Comparator.comparingDouble(Strand::weight)
                    .reversed()
                    .thenComparingInt(Strand::place))
            .limit(MOST)
            .sorted(Comparator.comparingInt(Strand::place))
            .map(strand -> sentence(strand, told))
            .distinct()
            .toList();
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
  }

  private String sentence(Strand strand, List<Told> bullets) {
    var outcomes = new ArrayList<String>();
    var open = new ArrayList<String>();
    for (Told one : bullets) {
      String text = one.bullet().text();
      String told = RecurringTopics.sentence(text);
      boolean says =
          strands[one.part()] == strands[strand.place()]
              && !WorkStatements.isAsked(text)
              && !told.equalsIgnoreCase(RecurringTopics.sentence(strand.wanted()));
      if (says) {
        (OpenItems.isOpen(text) ? open : outcomes).add(told);
      }
    }
    if (outcomes.isEmpty() && open.isEmpty()) {
      return RecurringTopics.sentence(strand.wanted());
    }
    String wanted = strand.wanted();
    boolean ended = ENDS.indexOf(wanted.charAt(wanted.length() - 1)) >= 0;
    var sentence = new StringBuilder(wanted).append(ended ? "" : ":");
    if (!outcomes.isEmpty() && repeats(outcomes.getFirst(), wanted)) {
      sentence.setLength(0);
    }
    outcomes.stream().limit(MOST_OUTCOMES).forEach(one -> sentence.append(' ').append(one));
    open.stream().findFirst().ifPresent(one -> sentence.append(' ').append(opened(one)));
    return sentence.toString().strip();
  }

  /// Whether a title is the beginning of an outcome, whoever said it.
  private static boolean repeats(String outcome, String title) {
    String said = plain(outcome);
    String wanted = plain(title);
    return said.startsWith(wanted) || said.replaceFirst(SPEAKER, "").startsWith(wanted);
  }

  private static String plain(String text) {
    return text.replaceAll("[`*…]", "").strip().toLowerCase(Locale.ROOT);
  }

  private static String opened(String item) {
    return item.startsWith(OPEN) ? item : OPEN + " " + item;
  }
}
