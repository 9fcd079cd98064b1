package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.agent.install.FileChange;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.util.List;

/// What an installation changed, or would change.
///
/// @param next what is left to the user
record ChangesReply(Agent agent, List<FileChange> changes, boolean dryRun, List<String> next)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    if (changes.stream().noneMatch(FileChange::changes)) {
      screen.line(agent.id() + ": nothing to change");
    }
    for (FileChange change : changes) {
      String file = screen.shown(change.file().toString());
      screen.line(
          screen.styled(Style.BOLD, file) + "  " + (dryRun ? "would be " : "") + change.what());
      if (change.changes()) {
        change.diff().forEach(line -> screen.line("  " + painted(screen, screen.shown(line))));
      }
    }
    if (!next.isEmpty()) {
      screen.line();
      next.forEach(step -> screen.wrapped("• ", "  ", step));
    }
  }

  private static String painted(Terminal screen, String line) {
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '+' -> screen.styled(Style.GOOD, line);
      case '-' -> screen.styled(Style.BAD, line);
      default -> line;
    };
  }

  @Override
  public void write(JsonWriter json) {
    json.text("agent", agent.id())
        .flag("dry_run", dryRun)
        .list(
            "files",
            changes,
            change ->
                json.text("file", change.file().toString())
                    .text("change", change.what())
                    .texts("diff", change.changes() ? change.diff() : List.of()))
        .texts("next", next);
  }
}
