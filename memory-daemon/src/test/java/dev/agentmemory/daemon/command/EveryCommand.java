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
          new Line("console", ExitCodes.OK, "console --no-browser").ofFigures(),
          new Line("console", ExitCodes.UNREACHABLE, "console --data NEW"),
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
          new Line(
              "remember",
              ExitCodes.OK,
              "remember jitter matters --id 01KG7Z5P0X0000000000000001 --tag retry --session s --at 2026-02-01"),
          new Line("remember", ExitCodes.USAGE, "remember jitter --importance 2"),
          new Line("recall", ExitCodes.OK, "recall jitter --explain").ofStoredText(),
          new Line("recall", ExitCodes.OK, "recall --kind finding --last 1d --sort importance")
              .ofStoredText(),
          new Line("recall", ExitCodes.USAGE, "recall --limit 0"),
          new Line("memories", ExitCodes.USAGE, "memories"),
          new Line("memories list", ExitCodes.OK, "memories list --limit 100 --superseded")
              .ofStoredText(),
          new Line("memories get", ExitCodes.OK, "memories get 01KG7Z5P0X0000000000000001")
              .ofStoredText(),
          new Line("memories get", ExitCodes.USAGE, "memories get mem_1"),
          new Line(
                  "memories update",
                  ExitCodes.OK,
                  "memories update 01KG7Z5P0X0000000000000001 --importance 0.5")
              .ofStoredText(),
          new Line("memories history", ExitCodes.OK, "memories history 01KG7Z5P0X0000000000000001")
              .ofStoredText(),
          new Line(
                  "memories related",
                  ExitCodes.OK,
                  "memories related 01KG7Z5P0X0000000000000001 --depth 2")
              .ofStoredText(),
          new Line("memories pin", ExitCodes.OK, "memories pin 01KG7Z5P0X0000000000000001"),
          new Line("memories unpin", ExitCodes.OK, "memories unpin 01KG7Z5P0X0000000000000001"),
          new Line("memories delete", ExitCodes.OK, "memories delete 01KG7Z5P0X0000000000000009")
              .ofStoredText(),
          new Line("memories delete", ExitCodes.OK, "memories delete --topic retry --preview")
              .ofStoredText(),
          new Line("memories export", ExitCodes.OK, "memories export").ofStoredText(),
          new Line("memories export", ExitCodes.OK, "memories export --output NEW --format json")
              .ofFigures(),
          new Line("memories import", ExitCodes.FAILED, "memories import NEW").ofStoredText(),
          new Line("memories stats", ExitCodes.OK, "memories stats").ofFigures(),
          new Line("memories rebuild-index", ExitCodes.OK, "memories rebuild-index").ofFigures(),
          new Line("orient", ExitCodes.OK, "orient jitter --budget 200").ofStoredText(),
          new Line("conversations", ExitCodes.OK, "conversations").ofStoredText(),
          new Line(
                  "conversations start", ExitCodes.OK, "conversations start terminal --user person")
              .ofFigures(),
          new Line("conversations idle", ExitCodes.OK, "conversations idle terminal").ofFigures(),
          new Line("conversations archive", ExitCodes.OK, "conversations archive terminal")
              .ofFigures(),
          new Line("conversations archive", ExitCodes.FAILED, "conversations archive terminal")
              .ofFigures(),
          new Line("conversations list", ExitCodes.OK, "conversations list --archived")
              .ofStoredText(),
          new Line("conversations show", ExitCodes.OK, "conversations show terminal")
              .ofStoredText(),
          new Line(
                  "conversations set",
                  ExitCodes.OK,
                  "conversations set terminal --language en --half-life 336h")
              .ofStoredText(),
          new Line("conversations set", ExitCodes.USAGE, "conversations set terminal"),
          new Line("conversations stats", ExitCodes.OK, "conversations stats terminal").ofFigures(),
          new Line("conversations compact", ExitCodes.OK, "conversations compact terminal")
              .ofFigures(),
          new Line("channels", ExitCodes.OK, "channels").ofStoredText(),
          new Line("channels list", ExitCodes.OK, "channels list").ofStoredText(),
          new Line("channels create", ExitCodes.USAGE, "channels create a/b"),
          new Line("channels rename", ExitCodes.FAILED, "channels rename nowhere elsewhere"),
          new Line("channels describe", ExitCodes.FAILED, "channels describe nowhere nothing"),
          new Line("channels default", ExitCodes.FAILED, "channels default nowhere"),
          new Line("scratchpad", ExitCodes.USAGE, "scratchpad"),
          new Line("scratchpad write", ExitCodes.OK, "scratchpad write terminal step 1"),
          new Line("scratchpad read", ExitCodes.OK, "scratchpad read terminal step"),
          new Line("scratchpad read", ExitCodes.FAILED, "scratchpad read terminal other"),
          new Line("scratchpad list", ExitCodes.OK, "scratchpad list terminal").ofStoredText(),
          new Line("scratchpad clear", ExitCodes.OK, "scratchpad clear terminal step"),
          new Line("consolidation", ExitCodes.USAGE, "consolidation"),
          new Line("consolidation preview", ExitCodes.OK, "consolidation preview").ofFigures(),
          new Line("consolidation run", ExitCodes.OK, "consolidation run --dry-run").ofFigures(),
          new Line("consolidation log", ExitCodes.OK, "consolidation log").ofFigures(),
          new Line(
              "consolidation undo",
              ExitCodes.FAILED,
              "consolidation undo 01KG7Z5P0X0000000000000001"),
          new Line("export", ExitCodes.OK, "export").ofStoredText(),
          new Line("export", ExitCodes.OK, "export --topic retry --redact --output NEW")
              .ofFigures(),
          new Line("export", ExitCodes.FAILED, "export --session nowhere").ofStoredText(),
          new Line("export", ExitCodes.USAGE, "export --session s --agent a"),
          new Line("token", ExitCodes.USAGE, "token"),
          new Line("token create", ExitCodes.OK, "token create ci --role reader").ofFigures(),
          new Line("token create", ExitCodes.FAILED, "token create ci --role reader"),
          new Line("token create", ExitCodes.USAGE, "token create ci --role king"),
          new Line("token list", ExitCodes.OK, "token list").ofFigures(),
          new Line("token rotate", ExitCodes.OK, "token rotate ci").ofFigures(),
          new Line("token revoke", ExitCodes.OK, "token revoke ci"),
          new Line("token revoke", ExitCodes.FAILED, "token revoke ci"),
          new Line("install", ExitCodes.USAGE, "install emacs"),
          new Line("install", ExitCodes.OK, "install gemini --project NEW --dry-run").ofFigures(),
          new Line("uninstall", ExitCodes.USAGE, "uninstall emacs"),
          new Line("uninstall", ExitCodes.OK, "uninstall gemini --project NEW"),
          new Line("import", ExitCodes.OK, "import codex FILE --dry-run").ofFigures(),
          new Line("import", ExitCodes.OK, "import claude-code FILE").ofFigures(),
          new Line("import", ExitCodes.USAGE, "import emacs"),
          new Line("import", ExitCodes.USAGE, "import opencode"),
          new Line("capture", ExitCodes.OK, "capture"),
          new Line("capture", ExitCodes.OK, "capture on"),
          new Line("capture", ExitCodes.USAGE, "capture maybe"),
          new Line("today", ExitCodes.OK, "today").ofFigures(),
          new Line("yesterday", ExitCodes.OK, "yesterday").ofFigures(),
          new Line("tail", ExitCodes.OK, "tail -n 3").ofStoredText(),
          new Line("tail", ExitCodes.USAGE, "tail -n -1"),
          new Line("why", ExitCodes.OK, "why jitter").ofStoredText(),
          new Line("why", ExitCodes.OK, "why GRIP").ofStoredText(),
          new Line("why", ExitCodes.USAGE, "why jitter --limit 0"),
          new Line("mcp", ExitCodes.OK, "mcp --help"),
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
          new Line("backup key", ExitCodes.OK, "backup key --output NEW").ofFigures(),
          new Line("backup list", ExitCodes.OK, "backup list BACKUPS").ofFigures(),
          new Line("backup list", ExitCodes.FAILED, "backup list NEW"),
          new Line("backup verify", ExitCodes.OK, "backup verify BACKUPS").ofFigures(),
          new Line("backup scrub", ExitCodes.OK, "backup scrub BACKUPS").ofFigures(),
          new Line("backup scrub", ExitCodes.USAGE, "backup scrub BACKUPS --delete"),
          new Line("restore", ExitCodes.OK, "restore BACKUPS --to NEW").ofFigures(),
          new Line("scrub", ExitCodes.OK, "scrub --dry-run"),
          new Line("scrub", ExitCodes.OK, "scrub"),
          new Line("forget", ExitCodes.USAGE, "forget"),
          new Line("forget", ExitCodes.OK, "forget --agent nobody --dry-run"),
          new Line("config", ExitCodes.USAGE, "config"),
          new Line("config show", ExitCodes.OK, "config show --no-user-config"),
          new Line("config check", ExitCodes.OK, "config check --no-user-config"),
          new Line("audit", ExitCodes.OK, "audit --since 7d").ofFigures(),
          new Line("audit", ExitCodes.USAGE, "audit --limit 0"),
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
