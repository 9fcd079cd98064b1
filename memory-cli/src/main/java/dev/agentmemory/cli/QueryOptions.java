package dev.agentmemory.cli;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The words of a query and its filter options.
final class QueryOptions {

  /// Shared part of both commands' help.
  static final String FORMS =
      "\"exact words\", -word, begin*, session:ID, agent:NAME, role:user, after:2026-01-30,"
          + " before:, on:, level:day, kind:event, tag:NAME. Quote the whole query so that the"
          + " shell does not change it: 'retry -policy'. Put a query that begins with - after --:"
          + " memory search -- '-policy retry'.";

  @Parameters(
      arity = "1..*",
      paramLabel = "QUERY",
      description = {"Search terms. These forms have a special meaning:", FORMS})
  private List<String> words = List.of();

  @Option(names = "--session", paramLabel = "ID", description = "Only hits from this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      description = "Only events from this agent, or memories with this source.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "Only events with this role: user, assistant, system or tool.")
  private Optional<EventRole> role = Optional.empty();

  @Option(
      names = "--after",
      paramLabel = "TIME",
      description =
          "Only hits at or after the start of TIME, such as 2026-01-30, 2026-01 or 7d (ago).")
  private Optional<String> after = Optional.empty();

  @Option(
      names = "--before",
      paramLabel = "TIME",
      description = "Only hits before the start of TIME.")
  private Optional<String> before = Optional.empty();

  @Option(
      names = "--on",
      paramLabel = "TIME",
      description =
          "Only hits within TIME: a day, week, month or year, such as yesterday or 2026-W05.")
  private Optional<String> on = Optional.empty();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "Only summaries of this level: year, month, week, day or segment.")
  private Optional<TocLevel> level = Optional.empty();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      description =
          "Only hits of this kind: event, segment, rollup (day and above) or memory; can be"
              + " repeated to match any of them.")
  private Set<HitKind> kinds = Set.of();

  @Option(
      names = "--tag",
      paramLabel = "NAME",
      description =
          "Only events with this tag, or memories with it or a tag below it; can be repeated to"
              + " require all of them.")
  private Set<String> tags = Set.of();

  @Option(
      names = "--min-relevance",
      paramLabel = "N",
      description = {
        "Minimum relevance of a hit, 0 to 1; 0 returns all hits.",
        "Default: 0.05, and no events or summaries if the best of them has less than 0.27, or"
            + " less than the workspace was calibrated to."
      })
  private Optional<Double> minRelevance = Optional.empty();

  /// Whether a command takes a query.
  static boolean isAskedBy(CommandLine command) {
    return command.getCommandSpec().mixins().values().stream()
        .anyMatch(mixin -> mixin.userObject() instanceof QueryOptions);
  }

  String query() {
    return String.join(" ", words);
  }

  RelevanceThreshold threshold() {
    return minRelevance.map(RelevanceThreshold::ofEach).orElse(RelevanceThreshold.DEFAULT);
  }

  /// Refuses invalid arguments and options.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the argument or option
  void check() {
    if (query().isBlank()) {
      throw MemoryException.invalid("QUERY", "is empty; give at least one search term");
    }
    int length = query().length();
    if (length > SearchRequest.MAX_QUERY) {
      throw MemoryException.invalid(
          "QUERY",
          "is %d characters long; shorten it to %d at most"
              .formatted(length, SearchRequest.MAX_QUERY));
    }
    minRelevance
        .filter(least -> !(least >= 0 && least <= 1))
        .ifPresent(least -> {
          throw MemoryException.invalid("--min-relevance", "is " + least + "; expected 0 to 1");
        });
    session.ifPresent(text -> SessionId.parse("--session", text));
    after.ifPresent(text -> When.parse("--after", text));
    before.ifPresent(text -> When.parse("--before", text));
    on.ifPresent(text -> When.parse("--on", text));
    Stream.concat(agent.stream(), tags.stream())
        .filter(String::isBlank)
        .findAny()
        .ifPresent(blank -> {
          throw MemoryException.invalid(
              tags.contains(blank) ? "--tag" : "--agent",
              "is blank; give a value or omit the option");
        });
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  Filters filters(Times times, Instant now) {
    Optional<When.Interval> within = on.map(text -> period(times, now, text));
    Optional<Instant> from =
        Stream.concat(
                after.map(text -> start("--after", text, times, now)).stream(),
                within.map(When.Interval::start).stream())
            .max(Comparator.naturalOrder());
    Optional<Instant> to =
        Stream.concat(
                before.map(text -> start("--before", text, times, now)).stream(),
                within.map(When.Interval::end).stream())
            .min(Comparator.naturalOrder());
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      throw MemoryException.invalid(
          before.isPresent() ? "--before" : "--on",
          "leaves an empty time range: it ends at "
              + to.get()
              + ", but --after or --on begins later");
    }
    Optional<SessionId> one = session.map(text -> SessionId.parse("--session", text));
    return new Filters(one, Optional.empty(), agent, role, from, to, level, kinds, tags);
  }

  private static Instant start(String option, String text, Times times, Instant now) {
    return When.parse(option, text).in(times.zone(), now).start();
  }

  private static When.Interval period(Times times, Instant now, String text) {
    When.Interval range = When.parse("--on", text).in(times.zone(), now);
    if (!range.start().isBefore(range.end())) {
      throw MemoryException.invalid(
          "--on", "is `" + text + "`, an instant; expected a day, week, month or year");
    }
    return range;
  }
}
