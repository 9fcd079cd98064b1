package dev.agentmemory.cli.terminal;

import java.util.Locale;
import java.util.Map;

/// When to print in colours.
public enum Colours {
  /// On a terminal, unless the environment says otherwise: `NO_COLOR` disables colours,
  /// `CLICOLOR_FORCE` also enables them without a terminal.
  AUTO,
  ALWAYS,
  NEVER;

  /// @param terminal whether the output goes to a terminal
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

  /// An empty variable counts as unset, as https://no-color.org specifies.
  private static boolean isSet(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isEmpty();
  }

  /// The value as it is typed.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
