package dev.agentmemory.cli.terminal;

import java.util.Locale;
import java.util.Map;

/// When to print in colours.
public enum Colours {
  /// On a terminal, unless the environment says otherwise: `NO_COLOR` never, `CLICOLOR_FORCE` also
  /// where there is no terminal.
  AUTO,
  ALWAYS,
  NEVER;

  /// @param terminal whether a person's terminal shows the output
  public boolean wanted(boolean terminal, Map<String, String> environment) {
    return switch (this) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> {
        if (isSet(environment, "NO_COLOR")) {
          yield false;
        }
        boolean forced =
            isSet(environment, "CLICOLOR_FORCE") && !"0".equals(environment.get("CLICOLOR_FORCE"));
        yield forced || (terminal && !"dumb".equals(environment.get("TERM")));
      }
    };
  }

  /// An empty variable counts as none, as https://no-color.org has it.
  private static boolean isSet(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isEmpty();
  }

  /// As it is typed.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
