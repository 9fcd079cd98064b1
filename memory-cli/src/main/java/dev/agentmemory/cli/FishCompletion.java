package dev.agentmemory.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Completion for fish, which picocli does not support: one line for each command and option.
final class FishCompletion {

  private final List<String> lines = new ArrayList<>();

  private FishCompletion() {}

  static String of(CommandSpec root) {
    var fish = new FishCompletion();
    fish.command(root, List.of());
    return String.join("\n", fish.lines);
  }

  private void command(CommandSpec command, List<String> path) {
    String name = command.root().name();
    String here = "complete -c " + name + condition(command, path);
    for (OptionSpec option : command.options()) {
      lines.add(here + option(option));
    }
    for (CommandLine sub : command.subcommands().values()) {
      CommandSpec below = sub.getCommandSpec();
      lines.add(here + " -f -a " + below.name() + describe(below.usageMessage().description()));
      List<String> deeper = new ArrayList<>(path);
      deeper.add(below.name());
      command(below, deeper);
    }
  }

  /// When the line applies: after the commands that lead to this one, and before any of its
  /// subcommands.
  private static String condition(CommandSpec command, List<String> path) {
    List<String> tests = new ArrayList<>();
    path.forEach(word -> tests.add("__fish_seen_subcommand_from " + word));
    if (!command.subcommands().isEmpty()) {
      String deeper = String.join(" ", command.subcommands().keySet());
      tests.add("not __fish_seen_subcommand_from " + deeper);
    }
    return tests.isEmpty() ? "" : " -n '" + String.join("; and ", tests) + "'";
  }

  private static String option(OptionSpec option) {
    var text = new StringBuilder();
    for (String name : option.names()) {
      text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    return text.append(option.arity().max() > 0 ? " -r" : " -f")
        .append(describe(option.description()))
        .toString();
  }

  private static String describe(String... lines) {
    return lines.length == 0
        ? ""
        : " -d '" + lines[0].replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
