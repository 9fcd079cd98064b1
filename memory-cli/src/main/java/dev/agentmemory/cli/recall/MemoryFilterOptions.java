package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryFilter.Neighbourhood;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that say which memories are meant.
final class MemoryFilterOptions {

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      description =
          "Only this kind: observation, conversation, decision, finding or preference; can be"
              + " repeated to match any of them.")
  private Set<MemoryKind> kinds = Set.of();

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      split = ",",
      description =
          "Only this scope: conversation, channel, workspace or account; can be repeated to match"
              + " any of them.")
  private Set<MemoryScope> scopes = Set.of();

  @Option(
      names = "--lifetime",
      paramLabel = "LIFETIME",
      split = ",",
      description =
          "Only this lifetime: conversation, short_term or long_term; can be repeated to match any"
              + " of them.")
  private Set<MemoryLifetime> lifetimes = Set.of();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description =
          "Only memories that this source made, such as user or extraction; can be repeated to"
              + " match any of them.")
  private Set<String> sources = Set.of();

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Only memories that come from this session.")
  private Optional<String> session = Optional.empty();

  @Option(names = "--channel", paramLabel = "NAME", description = "Only memories of this channel.")
  private Optional<String> channel = Optional.empty();

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      split = ",",
      description =
          "Only memories with this tag or a tag below it: security also finds"
              + " security.authentication. Can be repeated to match any of them.")
  private List<String> tags = List.of();

  @Option(names = "--all-tags", description = "Require all tags instead of any of them.")
  private boolean allTags;

  @Option(
      names = "--without-tag",
      paramLabel = "TAG",
      split = ",",
      description = "No memories with this tag or a tag below it; can be repeated.")
  private List<String> withoutTags = List.of();

  @Mixin private MemoryTimeOptions time = new MemoryTimeOptions();

  @Option(
      names = "--min-importance",
      paramLabel = "N",
      defaultValue = "0",
      description = "Minimum importance, 0 to 1 (default: ${DEFAULT-VALUE}).")
  private double minImportance;

  @Option(
      names = "--references",
      paramLabel = "ID",
      split = ",",
      description =
          "Only memories that this memory refers to, directly or through others; can be repeated.")
  private List<String> references = List.of();

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "How many references to follow with --references, 1 to 8 (default: 1).")
  private Optional<Integer> depth = Optional.empty();

  @Option(names = "--pinned", description = "Only pinned memories.")
  private boolean pinned;

  @Option(names = "--superseded", description = "Also memories that later ones have replaced.")
  private boolean superseded;

  /// Refuses invalid options, before a daemon is asked.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the option
  void check() {
    time.check();
    if (!(minImportance >= 0 && minImportance <= 1)) {
      throw MemoryException.invalid(
          "--min-importance", "is " + minImportance + "; expected 0 to 1");
    }
    if (references.isEmpty() && depth.isPresent()) {
      throw MemoryException.invalid(
          "--depth", "is given without --references; name the memory to begin with");
    }
    int steps = depth.orElse(1);
    if (steps < 1 || steps > Neighbourhood.MAX_DEPTH) {
      throw MemoryException.invalid(
          "--depth", "is %d; expected 1 to %d".formatted(steps, Neighbourhood.MAX_DEPTH));
    }
    build(Optional.empty(), Optional.empty());
  }

  /// The session of `--session`.
  Optional<SessionId> session() {
    return MemoryNames.session("--session", session);
  }

  /// The channel of `--channel`.
  Optional<ChannelName> channel() {
    return MemoryNames.channel("--channel", channel);
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  MemoryFilter filter(Times times, Instant now) {
    MemoryTimeOptions.Bounds bounds = time.in(times, now);
    return build(bounds.after(), bounds.before());
  }

  private MemoryFilter build(Optional<Instant> after, Optional<Instant> before) {
    MemoryFilter.Builder filter =
        MemoryFilter.builder()
            .scopes(scopes)
            .kinds(kinds)
            .lifetimes(lifetimes)
            .sources(sources)
            .tags(
                new TagFilter(
                    MemoryNames.tags("--tag", tags),
                    allTags,
                    MemoryNames.tags("--without-tag", withoutTags)))
            .minImportance(minImportance)
            .pinned(pinned)
            .superseded(superseded);
    session().ifPresent(filter::session);
    channel().ifPresent(filter::channel);
    after.ifPresent(filter::after);
    before.ifPresent(filter::before);
    if (!references.isEmpty()) {
      filter =
          filter.near(
              new Neighbourhood(
                  Set.copyOf(MemoryNames.ids("--references", references)), depth.orElse(1)));
    }
    return filter.build();
  }

  /// The moment that an option names; of a day or longer, its last millisecond.
  static Instant moment(String option, String text, Times times, Instant now) {
    When.Interval interval = When.parse(option, text).in(times.zone(), now);
    return interval.start().isBefore(interval.end())
        ? interval.end().minusMillis(1)
        : interval.start();
  }
}
