package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.search.internal.time.TimeValues;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Gathers the filters that stand in a query. All of them hold together; of two sessions, agents,
/// roles or levels the last one counts.
final class TypedFilters {

  private final TimeValues values;
  private Optional<SessionId> session = Optional.empty();
  private Optional<String> agent = Optional.empty();
  private Optional<EventRole> role = Optional.empty();
  private Optional<Instant> after = Optional.empty();
  private Optional<Instant> before = Optional.empty();
  private Optional<TocLevel> level = Optional.empty();
  private final Set<HitKind> kinds = EnumSet.noneOf(HitKind.class);
  private final Set<String> tags = new HashSet<>();

  TypedFilters(ZoneId zone, Instant now) {
    this.values = new TimeValues(zone, now);
  }

  /// What has been taken.
  Filters filters() {
    return new Filters(session, Optional.empty(), agent, role, after, before, level, kinds, tags);
  }

  /// Takes a filter.
  ///
  /// @param name in any case
  /// @return false when there is no such filter or it cannot have such a value
  boolean take(String name, String value) {
    if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "session" -> session(value);
      case "agent" -> {
        agent = Optional.of(value);
        yield true;
      }
      case "role" -> {
        Optional<EventRole> found = named(EventRole.class, value);
        role = found.or(() -> role);
        yield found.isPresent();
      }
      case "level" -> {
        Optional<TocLevel> found = named(TocLevel.class, value);
        level = found.or(() -> level);
        yield found.isPresent();
      }
      case "kind" -> named(HitKind.class, value).map(kinds::add).isPresent();
      case "tag" -> {
        tags.add(value);
        yield true;
      }
      case "after", "before", "on" -> time(name.toLowerCase(Locale.ROOT), value);
      default -> false;
    };
  }

  private boolean session(String value) {
    try {
      session = Optional.of(new SessionId(value));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Of two times the narrower one counts.
  private boolean time(String name, String value) {
    Optional<TimeValues.Value> time = values.read(value);
    if (time.isEmpty()) {
      return false;
    }
    Instant from = time.get().from();
    if (!name.equals("before")) {
      after = after.filter(from::isBefore).or(() -> Optional.of(from));
    }
    if (!name.equals("after")) {
      Instant until = name.equals("on") ? time.get().until() : from;
      before = before.filter(until::isAfter).or(() -> Optional.of(until));
    }
    return true;
  }

  private static <E extends Enum<E>> Optional<E> named(Class<E> type, String value) {
    for (E one : type.getEnumConstants()) {
      if (one.name().equalsIgnoreCase(value)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
