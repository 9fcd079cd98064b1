package dev.agentmemory.cli.recall;

import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// The options of `memory conversations set`. What is not given stays as it is.
final class ConversationSettings {

  @Option(names = "--channel", paramLabel = "NAME", description = "Channel of the conversation.")
  private Optional<String> channel = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Whom the agent talks to; an empty name removes it.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--language",
      paramLabel = "LANGUAGE",
      description = "Language that the person prefers, such as en.")
  private Optional<String> language = Optional.empty();

  @Option(
      names = "--verbosity",
      paramLabel = "WORD",
      description = "How detailed the person wants answers, such as medium.")
  private Optional<String> verbosity = Optional.empty();

  @Option(
      names = "--preference",
      paramLabel = "KEY=VALUE",
      description = "Another preference; an empty value removes it; can be repeated.")
  private Map<String, String> custom = Map.of();

  @Option(
      names = "--decay",
      paramLabel = "SWITCH",
      description = "Whether the relevance of its memories decays: on or off.")
  private Optional<Switch> decay = Optional.empty();

  @Option(
      names = "--half-life",
      paramLabel = "PERIOD",
      description = "Half-life of its memories except preferences, such as 336h or 14d.")
  private Optional<String> halfLife = Optional.empty();

  @Option(names = "--floor", paramLabel = "N", description = "Lowest decay, 0 to 1.")
  private Optional<Double> floor = Optional.empty();

  @Option(
      names = "--auto-compact",
      paramLabel = "SWITCH",
      description = "Whether a compaction runs near the quota: on or off.")
  private Optional<Switch> autoCompact = Optional.empty();

  @Option(
      names = "--compact-at",
      paramLabel = "N",
      description = "Share of the quota at which a compaction runs, 0.5 to 1.")
  private Optional<Double> compactAt = Optional.empty();

  @Option(
      names = "--unset",
      paramLabel = "OPTION",
      split = ",",
      description =
          "Option to reset: language, verbosity, preference, decay, half-life, floor, auto-compact"
              + " or compact-at; can be repeated.")
  private Set<String> unset = Set.of();

  private static final Set<String> RESETTABLE =
      Set.of(
          "language",
          "verbosity",
          "preference",
          "decay",
          "half-life",
          "floor",
          "auto-compact",
          "compact-at");

  /// Values of options that switch something.
  enum Switch {
    ON,
    OFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  void check() {
    unset.stream()
        .filter(name -> !RESETTABLE.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw MemoryException.invalid(
              "--unset",
              "is `"
                  + name
                  + "`; expected language, verbosity, preference, decay, half-life, floor,"
                  + " auto-compact or compact-at");
        });
    if (!changesPreferences() && !changesOverrides() && channel.isEmpty() && user.isEmpty()) {
      throw MemoryException.invalid("OPTION", "is missing; say what is to be set");
    }
    MemoryNames.channel("--channel", channel);
    MemoryNames.fromOptions(() -> preferences(SessionPreferences.NONE));
    MemoryNames.fromOptions(() -> overrides(SessionOverrides.NONE));
  }

  /// @param before preferences and overrides that stay are taken from here
  /// @throws MemoryException `INVALID_FIELD` naming the option
  ConversationChange change(ConversationView before) {
    return MemoryNames.fromOptions(() ->
        new ConversationChange(
            MemoryNames.channel("--channel", channel),
            user,
            changesPreferences()
                ? Optional.of(preferences(before.preferences()))
                : Optional.empty(),
            changesOverrides() ? Optional.of(overrides(before.overrides())) : Optional.empty()));
  }

  private boolean changesPreferences() {
    return language.isPresent()
        || verbosity.isPresent()
        || !custom.isEmpty()
        || isAnyUnset("language", "verbosity", "preference");
  }

  private boolean changesOverrides() {
    return decay.isPresent()
        || halfLife.isPresent()
        || floor.isPresent()
        || autoCompact.isPresent()
        || compactAt.isPresent()
        || isAnyUnset("decay", "half-life", "floor", "auto-compact", "compact-at");
  }

  private boolean isAnyUnset(String... names) {
    return Stream.of(names).anyMatch(unset::contains);
  }

  private SessionPreferences preferences(SessionPreferences before) {
    Map<String, String> all =
        new HashMap<>(unset.contains("preference") ? Map.of() : before.custom());
    custom.forEach((key, value) -> {
      if (value.isEmpty()) {
        all.remove(key);
      } else {
        all.put(key, value);
      }
    });
    return new SessionPreferences(
        value("language", language, before.language()),
        value("verbosity", verbosity, before.verbosity()),
        all);
  }

  private SessionOverrides overrides(SessionOverrides before) {
    Optional<Duration> time = halfLife.map(text -> Period.parse("--half-life", text));
    return new SessionOverrides(
        value("decay", decay.map(Switch.ON::equals), before.decay()),
        value("half-life", time, before.halfLife()),
        value("floor", floor, before.floor()),
        value("auto-compact", autoCompact.map(Switch.ON::equals), before.autoCompact()),
        value("compact-at", compactAt, before.compactAt()));
  }

  private <T> Optional<T> value(String name, Optional<T> given, Optional<T> before) {
    return given.isPresent() ? given : unset.contains(name) ? Optional.empty() : before;
  }
}
