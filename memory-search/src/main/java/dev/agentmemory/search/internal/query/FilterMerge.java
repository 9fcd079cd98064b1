package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.types.Span;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Puts two sets of filters together.
public final class FilterMerge {

  private FilterMerge() {}

  /// What is in both: of two that ask for one value, the one that was typed; of times the narrower
  /// span.
  public static Filters of(Filters given, Filters typed) {
    Set<HitKind> kinds = new HashSet<>(typed.kinds().isEmpty() ? given.kinds() : typed.kinds());
    Set<String> tags = new HashSet<>(given.tags());
    tags.addAll(typed.tags());
    return new Filters(
        typed.session().or(given::session),
        typed.notSession().or(given::notSession),
        typed.agent().or(given::agent),
        typed.role().or(given::role),
        later(given.after(), typed.after()),
        earlier(given.before(), typed.before()),
        typed.level().or(given::level),
        kinds,
        tags);
  }

  /// The same for what lies in a time.
  public static Filters within(Filters filters, Span time) {
    return new Filters(
        filters.session(),
        filters.notSession(),
        filters.agent(),
        filters.role(),
        later(filters.after(), Optional.of(time.start())),
        earlier(filters.before(), Optional.of(time.end().plusMillis(1))),
        filters.level(),
        filters.kinds(),
        filters.tags());
  }

  /// Whether nothing but memories may be found. Their source finds by words and by meaning itself.
  public static boolean isOfMemories(Filters filters) {
    return filters.kinds().equals(Set.of(HitKind.MEMORY));
  }

  /// What may be found. Events and memories have tags, so a filter by tags finds both.
  public static Set<HitKind> kinds(Filters filters) {
    if (!filters.kinds().isEmpty()) {
      return EnumSet.copyOf(filters.kinds());
    }
    if (filters.level().isPresent()) {
      return EnumSet.of(HitKind.SEGMENT, HitKind.ROLLUP);
    }
    return filters.tags().isEmpty()
        ? EnumSet.of(HitKind.EVENT)
        : EnumSet.of(HitKind.EVENT, HitKind.MEMORY);
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return Stream.concat(one.stream(), other.stream()).max(Comparator.naturalOrder());
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return Stream.concat(one.stream(), other.stream()).min(Comparator.naturalOrder());
  }
}
