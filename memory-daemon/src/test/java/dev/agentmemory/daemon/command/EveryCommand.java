package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;

/// Lines to run for every command that there is: one that was added yesterday and has none here
/// fails the tests that run them.
///
/// In the lines, words in capitals stand for what a test puts there: FILE (events to ingest), BAD
/// (a file with a line that is refused), GRIP, SEGMENT, BACKUPS (a directory of backups), NEW (a
/// path where nothing is).
final class EveryCommand {

  private static final List<Line> LINES =
      List.of(
          new Line("demo", ExitCodes.OK, "demo --help"),
          new Line("start", ExitCodes.OK, "start --port 0"),
          new Line("stop", ExitCodes.OK, "stop --data NEW"),
          new Line("status", ExitCodes.OK, "status").ofFigures(),
          new Line("status", ExitCodes.UNREACHABLE, "status --data NEW"),
          new Line("ingest", ExitCodes.OK, "ingest FILE"),
          new Line("ingest", ExitCodes.REFUSED, "ingest BAD"),
          new Line("toc", ExitCodes.OK, "toc").ofStoredText(),
          new Line("toc", ExitCodes.OK, "toc --depth 4 --grips --events").ofStoredText(),
          new Line("toc", ExitCodes.OK, "toc 2026-01-12 --versions").ofStoredText(),
          new Line("toc", ExitCodes.OK, "toc 2026-01-12 --version 1").ofStoredText(),
          new Line("toc", ExitCodes.FAILED, "toc toc:day:1999-01-01"),
          new Line("toc", ExitCodes.USAGE, "toc --depth many"),
          new Line("grip", ExitCodes.OK, "grip GRIP").ofStoredText(),
          new Line("search", ExitCodes.OK, "search jitter --explain").ofStoredText(),
          new Line("ask-context", ExitCodes.OK, "ask-context jitter").ofStoredText(),
          new Line("events", ExitCodes.OK, "events --full").ofStoredText(),
          new Line("events", ExitCodes.OK, "events").ofStoredText(),
          new Line("sessions", ExitCodes.OK, "sessions").ofStoredText(),
          new Line("sessions", ExitCodes.OK, "sessions s").ofStoredText(),
          new Line("segments", ExitCodes.OK, "segments").ofStoredText(),
          new Line("segments", ExitCodes.OK, "segments SEGMENT").ofStoredText(),
          new Line("workspaces", ExitCodes.OK, "workspaces").ofFigures(),
          new Line("workspaces create", ExitCodes.OK, "workspaces create other"),
          new Line("workspaces delete", ExitCodes.OK, "workspaces delete other --yes").ofFigures(),
          new Line("workspaces delete", ExitCodes.FAILED, "workspaces delete other --yes"),
          new Line("jobs", ExitCodes.OK, "jobs").ofFigures(),
          new Line("jobs pause", ExitCodes.OK, "jobs pause compaction"),
          new Line("jobs resume", ExitCodes.OK, "jobs resume compaction"),
          new Line("jobs run", ExitCodes.OK, "jobs run outbox_trim").ofFigures(),
          new Line("jobs run", ExitCodes.FAILED, "jobs run nonsense"),
          new Line("rebuild", ExitCodes.USAGE, "rebuild"),
          new Line("rebuild toc", ExitCodes.OK, "rebuild toc"),
          new Line("rebuild index", ExitCodes.OK, "rebuild index"),
          new Line("usage", ExitCodes.OK, "usage").ofFigures(),
          new Line("migrate", ExitCodes.FAILED, "migrate"),
          new Line("recover", ExitCodes.FAILED, "recover"),
          new Line("backup", ExitCodes.OK, "backup BACKUPS").ofFigures(),
          new Line("backup", ExitCodes.USAGE, "backup"),
          new Line("backup list", ExitCodes.OK, "backup list BACKUPS").ofFigures(),
          new Line("backup list", ExitCodes.FAILED, "backup list NEW"),
          new Line("backup verify", ExitCodes.OK, "backup verify BACKUPS").ofFigures(),
          new Line("restore", ExitCodes.OK, "restore BACKUPS --to NEW").ofFigures(),
          new Line("config", ExitCodes.USAGE, "config"),
          new Line("config show", ExitCodes.OK, "config show --no-user-config"),
          new Line("config check", ExitCodes.OK, "config check --no-user-config"),
          new Line("doctor", ExitCodes.OK, "doctor").ofFigures(),
          new Line("doctor", ExitCodes.OK, "doctor --deep").ofFigures(),
          new Line("doctor", ExitCodes.UNREACHABLE, "doctor --data NEW"),
          new Line("completion", ExitCodes.OK, "completion bash"),
          new Line("completion", ExitCodes.OK, "completion zsh"),
          new Line("completion", ExitCodes.OK, "completion fish"));

  private EveryCommand() {}

  /// @param path the command without `memory`
  /// @param exit its exit code on a daemon with the sample in it
  /// @param whole whether it says the same on a terminal of any width, apart from where lines end
  record Line(String path, int exit, String text, boolean whole) {

    Line(String path, int exit, String text) {
      this(path, exit, text, /* whole= */ true);
    }

    /// Shows what was stored, cut to the width.
    Line ofStoredText() {
      return new Line(path, exit, text, /* whole= */ false);
    }

    /// Shows times and sizes, which are others the next time, or a table.
    Line ofFigures() {
      return ofStoredText();
    }

    /// @param fill what the words in capitals stand for
    List<String> words(Function<String, String> fill) {
      return Stream.of(text.split(" ", -1)).map(fill).toList();
    }
  }

  /// All lines.
  static List<Line> lines() {
    return LINES;
  }

  /// Commands of the tree, itself left out, that have no line, and lines of no command.
  static Set<String> unknown(CommandLine tree) {
    Set<String> lined = new HashSet<>(LINES.stream().map(Line::path).toList());
    Set<String> all = new HashSet<>(paths(tree));
    Set<String> either = new HashSet<>(all);
    either.addAll(lined);
    all.retainAll(lined);
    either.removeAll(all);
    return either;
  }

  /// All commands below one, without `memory` before them.
  static List<String> paths(CommandLine tree) {
    List<String> paths = new ArrayList<>();
    Collection<CommandLine> below = Set.copyOf(tree.getSubcommands().values());
    for (CommandLine command : below) {
      if (!command.getCommandSpec().usageMessage().hidden()) {
        String name = command.getCommandSpec().qualifiedName();
        paths.add(name.substring(name.indexOf(' ') + 1));
        paths.addAll(paths(command));
      }
    }
    return paths;
  }

  /// What words in capitals stand for.
  ///
  /// @param fresh makes a path where nothing is
  static Function<String, String> filling(Map<String, String> known, Function<String, Path> fresh) {
    return word ->
        word.equals("NEW") ? fresh.apply(word).toString() : known.getOrDefault(word, word);
  }
}
