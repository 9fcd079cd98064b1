package dev.agentmemory.cli.agent.history;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Result of `memory import`.
///
/// @param files transcripts that were found
/// @param bytes that were read
/// @param events that were found in them and may be stored
/// @param leftOut events that may not be stored
/// @param captureFile says for what capture is off
/// @param skipped lines without an event, by type
/// @param unreadable transcripts and folders that could not be read
public record ImportReply(
    Agent agent,
    boolean dryRun,
    long files,
    long bytes,
    long events,
    long stored,
    long known,
    long refused,
    Map<LeftOut, Long> leftOut,
    Path captureFile,
    Map<String, Long> skipped,
    List<String> unreadable)
    implements Reply {

  /// Why events are not stored.
  public enum LeftOut {
    EXCLUDED("of excluded projects"),
    CAPTURE_OFF("for which capture is or was off"),
    /// Whether capture is off for them is not known.
    CAPTURE_UNREADABLE("because capture.json cannot be read"),
    PRIVATE("of private sessions");

    private final String words;

    LeftOut(String words) {
      this.words = words;
    }
  }

  public ImportReply {
    leftOut = Map.copyOf(leftOut);
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
    new TreeMap<>(leftOut)
        .forEach((why, count) ->
            screen.line("left out: " + Format.count(count, "event") + " " + why.words));
    new TreeMap<>(skipped)
        .forEach((type, lines) ->
            screen.line("skipped: " + Format.count(lines, "line") + " of " + screen.shown(type)));
    if (!unreadable.isEmpty()) {
      screen.line(
          "not read: %s; make %s readable and run the import again"
              .formatted(
                  Format.count(unreadable.size(), "file or folder", "files or folders"),
                  unreadable.size() == 1 ? "it" : "them"));
    }
    if (leftOut.containsKey(LeftOut.CAPTURE_UNREADABLE)) {
      screen.error(
          ("cannot read %s; run `memory capture on`, which writes it again, then the import with"
                  + " --again")
              .formatted(screen.shown(captureFile.toString())));
    }
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
        .number("excluded", leftOut.getOrDefault(LeftOut.EXCLUDED, 0L))
        .number("capture_off", leftOut.getOrDefault(LeftOut.CAPTURE_OFF, 0L))
        .number("capture_unreadable", leftOut.getOrDefault(LeftOut.CAPTURE_UNREADABLE, 0L))
        .number("private", leftOut.getOrDefault(LeftOut.PRIVATE, 0L))
        .list(
            "skipped",
            new TreeMap<>(skipped).entrySet(),
            entry -> json.text("type", entry.getKey()).number("lines", entry.getValue()))
        .texts("unreadable", unreadable);
  }
}
