package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.OpenItems;
import dev.agentmemory.toc.summary.extractive.PeriodBullets.Told;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Tells of a period in sentences. Each is a bullet of the period, word for word, so each claim has
/// its grips.
///
/// A day and a week tell strand by strand what was wanted, what came out and what is open. What was
/// wanted is the title of the work: `Add a retry policy: Decided on full jitter. Open: the flaky
/// test still fails on CI.` A month and a year tell the few things that came out and matter most.
final class PeriodText {

  private static final int MOST_STRANDS = 6;
  private static final int MOST_OUTCOMES = 2;
  private static final int MOST_SENTENCES = 4;
  private static final String OPEN = "Open:";

  /// What may stand before the words of a person.
  private static final Pattern SPEAKER = Pattern.compile("^[^:]{1,40}: ");

  /// What a title and an outcome may differ in.
  private static final Pattern MARKS = Pattern.compile("[`*…]");

  private static final String ENDS = ".!?:…。！？：";

  /// @param first the first bullet of the work
  /// @param weight the salience of its best bullet
  private record Work(Told first, double weight) {

    Work and(Work other) {
      boolean before = PeriodBullets.IN_ORDER.compare(first, other.first) <= 0;
      return new Work(before ? first : other.first, Math.max(weight, other.weight));
    }
  }

  private PeriodText() {}

  /// @param all the bullets of the parts
  /// @param told the bullets of the period, in the order of choice
  /// @return empty when there is nothing to tell
  static Optional<String> of(TocLevel level, List<Told> all, List<Told> told) {
    List<String> sentences =
        switch (level) {
          case SEGMENT, DAY -> strands(works(all), told);
          case WEEK -> strands(withBullets(works(all), told), told);
          case MONTH, YEAR -> outcomes(told);
        };
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
  }

  private static Map<String, Work> works(List<Told> all) {
    var works = new LinkedHashMap<String, Work>();
    for (Told one : all) {
      works.merge(one.strand(), new Work(one, one.bullet().salience()), Work::and);
    }
    return works;
  }

  /// A day names what it has no bullet of; of the many of a week only those with one are named.
  private static Map<String, Work> withBullets(Map<String, Work> works, List<Told> told) {
    works.keySet().retainAll(told.stream().map(Told::strand).toList());
    return works;
  }

  /// Those that matter most, in the order in which they began.
  private static List<String> strands(Map<String, Work> works, List<Told> told) {
    return works.values().stream()
        .sorted(
            Comparator.comparingDouble(Work::weight)
                .reversed()
                .thenComparing(Work::first, PeriodBullets.IN_ORDER))
        .limit(MOST_STRANDS)
        .sorted(Comparator.comparing(Work::first, PeriodBullets.IN_ORDER))
        .map(work -> strand(work.first(), told))
        .filter(text -> !text.isEmpty())
        .distinct()
        .toList();
  }

  private static List<String> outcomes(List<Told> told) {
    return told.stream()
        .filter(Told::isOutcome)
        .limit(MOST_SENTENCES)
        .sorted(PeriodBullets.IN_ORDER)
        .map(one -> sentence(one.bullet().text()))
        .toList();
  }

  private static String strand(Told first, List<Told> told) {
    String wanted = first.work().title();
    var outcomes = new ArrayList<String>();
    var open = new ArrayList<String>();
    told.stream()
        .filter(one -> one.strand().equals(first.strand()) && !one.isAsked())
        .map(Told::bullet)
        .sorted(PeriodBullets.BEST_FIRST)
        .filter(bullet -> !sentence(bullet.text()).equalsIgnoreCase(sentence(wanted)))
        .forEach(bullet ->
            (OpenItems.isOpen(bullet.text()) ? open : outcomes).add(sentence(bullet.text())));
    if (outcomes.isEmpty() && open.isEmpty()) {
      return sentence(wanted);
    }
    var text = new StringBuilder(wanted).append(isEnded(wanted) ? "" : ":");
    if (!outcomes.isEmpty() && repeats(outcomes.getFirst(), wanted)) {
      text.setLength(0);
    }
    outcomes.stream().limit(MOST_OUTCOMES).forEach(one -> text.append(' ').append(one));
    open.stream().findFirst().ifPresent(one -> text.append(' ').append(opened(one)));
    return text.toString().strip();
  }

  /// Whether a title is the beginning of an outcome, whoever said it.
  private static boolean repeats(String outcome, String title) {
    String said = plain(outcome);
    String wanted = plain(title);
    return said.startsWith(wanted) || SPEAKER.matcher(said).replaceFirst("").startsWith(wanted);
  }

  private static String plain(String text) {
    return MARKS.matcher(text).replaceAll("").strip().toLowerCase(Locale.ROOT);
  }

  private static String opened(String item) {
    return item.startsWith(OPEN) ? item : OPEN + " " + item;
  }

  /// A text that ends like a sentence.
  private static String sentence(String text) {
    return isEnded(text) && !text.endsWith(":") && !text.endsWith("：") ? text : text + ".";
  }

  private static boolean isEnded(String text) {
    return text.isEmpty() || ENDS.indexOf(text.charAt(text.length() - 1)) >= 0;
  }
}
