package dev.agentmemory.cli.agent.history;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Result of `memory import`.
///
/// @param files transcripts that were found
/// @param bytes that were read
/// @param events that were found in them and are not of excluded projects
/// @param excluded events of excluded projects
/// @param skipped lines without an event, by type
/// @param unreadable transcripts that could not be read
public record ImportReply(
    Agent agent,
    boolean dryRun,
    long files,
    long bytes,
    long events,
    long stored,
    long known,
    long refused,
    long excluded,
    Map<String, Long> skipped,
    List<String> unreadable)
    implements Reply {

  public ImportReply {
    skipped = Map.copyOf(skipped);
    unreadable = List.copyOf(unreadable);
  }

  @Override
  public void print(Terminal screen) {
    screen.line(
        agent.id()
            + ": "
            + Format.count(files, "transcript")
            + ", "
            + Format.bytes(bytes)
            + " read, "
            + Format.count(events, "event"));
    screen.line(
        dryRun
            ? "nothing stored (--dry-run)"
            : "%,d stored, %,d known, %,d refused".formatted(stored, known, refused));
    if (excluded > 0) {
      screen.line("left out: " + Format.count(excluded, "event") + " of excluded projects");
    }
    new TreeMap<>(skipped)
        .forEach((type, lines) ->
            screen.line("skipped: " + Format.count(lines, "line") + " of " + screen.shown(type)));
    unreadable.forEach(file -> screen.error("cannot read " + screen.shown(file)));
  }

  @Override
  public void write(JsonWriter json) {
    json.text("agent", agent.id())
        .flag("dry_run", dryRun)
        .number("transcripts", files)
        .number("bytes", bytes)
        .number("events", events)
        .number("stored", stored)
        .number("known", known)
        .number("refused", refused)
        .number("excluded", excluded)
        .list(
            "skipped",
            new TreeMap<>(skipped).entrySet(),
            entry -> json.text("type", entry.getKey()).number("lines", entry.getValue()))
        .texts("unreadable", unreadable);
  }
}
