package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.search.internal.time.NamedTime;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.types.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A query's text, read.
///
/// @param text what is left as free text, phrases included, without their quotes
/// @param phrases texts that hits are preferred for which hold them word for word
/// @param required texts that a hit has to hold word for word
/// @param excluded words and phrases that a hit must not hold
/// @param prefixes beginnings of words, without the asterisk
/// @param filters those that stand in the text
/// @param times what the free text names, such as yesterday, in its order; their places are those
///   in `text`
public record ReadQuery(
    String text,
    List<String> phrases,
    List<String> required,
    List<String> excluded,
    List<String> prefixes,
    Filters filters,
    List<NamedTime> times) {

  public ReadQuery {
    phrases = List.copyOf(phrases);
    required = List.copyOf(required);
    excluded = List.copyOf(excluded);
    prefixes = List.copyOf(prefixes);
    times = List.copyOf(times);
  }

  /// The query without its filters, in the notation in which it was typed.
  public String typed() {
    List<String> parts = new ArrayList<>();
    parts.add(text);
    prefixes.forEach(prefix -> parts.add(prefix + '*'));
    phrases.forEach(phrase -> parts.add('"' + phrase + '"'));
    required.forEach(phrase -> parts.add("+\"" + phrase + '"'));
    excluded.forEach(phrase -> parts.add("-\"" + phrase + '"'));
    return String.join(" ", parts).strip();
  }

  /// The same where what is required is only preferred.
  public ReadQuery lenient() {
    List<String> all = new ArrayList<>(phrases);
    all.addAll(required);
    return new ReadQuery(text, all, List.of(), excluded, prefixes, filters, times);
  }

  /// Whether the query has words, but function words only, which texts about any subject contain. A
  /// phrase, a prefix or a time asks for more.
  public boolean isOfFunctionWords() {
    if (!phrases.isEmpty() || !required.isEmpty() || !prefixes.isEmpty() || !times.isEmpty()) {
      return false;
    }
    List<Term> terms = Terms.of(text);
    return !terms.isEmpty() && terms.stream().allMatch(term -> term.kind() == Term.Kind.STOP);
  }

  /// The span of all named times; events in it are preferred. If some of the times name a year,
  /// those that do not ("last week, as mentioned on 6 November 2023") are not relative to the
  /// current time of the query and are left out.
  public Optional<Span> time() {
    List<NamedTime> absolute = times.stream().filter(NamedTime::absolute).toList();
    return together(absolute.isEmpty() ? times : absolute);
  }

  /// The same of those words alone that bound what is asked for ("since March").
  public Optional<Span> hardTime() {
    return together(times.stream().filter(NamedTime::hard).toList());
  }

  /// What the times have in common ("May 2023, the first week of May 2023"); where that is nothing
  /// ("in March or in May"), from the first to the last of them.
  private static Optional<Span> together(List<NamedTime> times) {
    if (times.isEmpty()) {
      return Optional.empty();
    }
    var from = Comparator.comparing(NamedTime::from);
    var until = Comparator.comparing(NamedTime::until);
    Instant start = Collections.max(times, from).from();
    Instant end = Collections.min(times, until).until();
    return Optional.of(
        start.isBefore(end)
            ? new Span(start, end.minusMillis(1))
            : new Span(
                Collections.min(times, from).from(),
                Collections.max(times, until).until().minusMillis(1)));
  }
}
