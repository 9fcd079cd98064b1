package dev.agentmemory.cli.terminal;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Asks whoever sits at the terminal before something is done that cannot be undone.
public final class Confirmation {

  private static final Set<String> YES = Set.of("y", "yes");

  private Confirmation() {}

  /// @return empty when nobody can be asked: input or output is no terminal
  public static Optional<Boolean> ask(String question) {
    return Optional.ofNullable(System.console())
        .filter(Console::isTerminal)
        .map(console -> isYes(Optional.ofNullable(console.readLine("%s [y/N] ", question))));
  }

  /// @param answer empty when the input has ended
  public static boolean isYes(Optional<String> answer) {
    return answer.map(text -> YES.contains(text.strip().toLowerCase(Locale.ROOT))).orElse(false);
  }
}
