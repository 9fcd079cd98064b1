package dev.agentmemory.cli.terminal;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Asks the user at the terminal before an action that cannot be undone.
public final class Confirmation {

  private static final Set<String> YES = Set.of("y", "yes");

  private Confirmation() {}

  /// @return empty when input or output is not a terminal
  public static Optional<Boolean> ask(String question) {
    return Optional.ofNullable(System.console())
        .filter(Console::isTerminal)
        .map(console -> isYes(Optional.ofNullable(console.readLine("%s [y/N] ", question))));
  }

  /// @param answer empty at the end of the input
  public static boolean isYes(Optional<String> answer) {
    return answer.map(text -> YES.contains(text.strip().toLowerCase(Locale.ROOT))).orElse(false);
  }
}
