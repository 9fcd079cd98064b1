package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.engine.config.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A place that values come from. Sources are given in rising precedence.
///
/// @param values by key
/// @param problems what is wrong with the source itself
public record SettingSource(Map<String, Named> values, List<String> problems) {

  /// Environment variables start with this; `MEMORY_DATA` names the data directory.
  static final String PREFIX = "MEMORY_";

  private static final String DATA = PREFIX + "DATA";

  public SettingSource {
    values = Map.copyOf(values);
    problems = List.copyOf(problems);
  }

  /// No values.
  public static final SettingSource NOTHING = new SettingSource(Map.of(), List.of());

  /// A value and how its place calls it.
  ///
  /// @param origin where it was written, such as `config.toml:3`, `--port` or `MEMORY_TOC_ZONE`
  /// @param subject what a message about it begins with
  /// @param text as written
  public record Named(String origin, String subject, String text) {

    Named(String place, String text) {
      this(place, place, text);
    }
  }

  /// A source of which nothing can be used.
  static SettingSource broken(String problem) {
    return new SettingSource(Map.of(), List.of(problem));
  }

  /// A flag of its own for one setting.
  ///
  /// @param flag such as `--port`
  public static SettingSource flag(String flag, String key, String text) {
    return new SettingSource(Map.of(key, new Named(flag, text)), List.of());
  }

  /// Assignments `key=value` of the command line; the last one counts.
  public static SettingSource flags(List<String> assignments) {
    Map<String, Named> values = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        problems.add("--set " + Secrets.hidden(assignment) + ": expected KEY=VALUE");
        continue;
      }
      String key = assignment.substring(0, equals).strip();
      values.put(key, new Named("--set " + key, assignment.substring(equals + 1)));
    }
    return new SettingSource(values, problems);
  }

  /// Variables named `MEMORY_...`. The prefix is not ours alone (systemd and container tools set
  /// some, too), so an unknown one is refused only when it is close to a known one.
  public static SettingSource environment(Map<String, String> environment) {
    Map<String, Named> values = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    List<String> known = Settings.ALL.stream().map(Setting::variable).toList();
    for (Setting<?> setting : Settings.ALL) {
      String text = environment.get(setting.variable());
      if (text != null && !text.isBlank()) {
        values.put(setting.key(), new Named(setting.variable(), text));
      }
    }
    environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !name.equals(DATA) && !known.contains(name))
        .sorted()
        .forEach(name ->
            Nearest.within(name, known, 3)
                .ifPresent(
                    near -> problems.add(name + ": unknown setting; did you mean " + near + "?")));
    return new SettingSource(values, problems);
  }
}
