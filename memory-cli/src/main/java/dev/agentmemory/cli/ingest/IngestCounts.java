package dev.agentmemory.cli.ingest;

import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.util.List;

/// Result of `memory ingest`, by lines.
///
/// @param stored events that this run stored
/// @param known events that were already stored with the same content
/// @param refused lines that cannot be stored as they are
/// @param unacknowledged events that were sent and not answered
/// @param complete whether the input was read to its end and every event was answered
/// @param refusals the first of the refused lines, [#MOST_LISTED] at most
/// @param unknown fields that no event has; the lines are stored without them
public record IngestCounts(
    long stored,
    long known,
    long refused,
    long unacknowledged,
    boolean complete,
    List<Refusal> refusals,
    List<UnknownFields.Field> unknown)
    implements Reply {

  /// Refused lines that are listed; further ones are only counted.
  static final int MOST_LISTED = 1000;

  public IngestCounts {
    refusals = List.copyOf(refusals);
    unknown = List.copyOf(unknown);
  }

  /// A line that cannot be stored as it is.
  ///
  /// @param line its number, from 1
  /// @param field the refused field; empty when the line as a whole is refused
  /// @param problem what is wrong, and what is expected
  public record Refusal(long line, String field, String problem) {}

  public String sentence() {
    return sentence(stored, known, refused);
  }

  static String sentence(long stored, long known, long refused) {
    return "%d stored, %d known, %d refused".formatted(stored, known, refused);
  }

  @Override
  public void print(Terminal screen) {
    screen.line(sentence());
  }

  @Override
  public void write(JsonWriter json) {
    json.number("stored", stored)
        .number("known", known)
        .number("refused", refused)
        .number("unacknowledged", unacknowledged)
        .flag("complete", complete)
        .list(
            "refusals",
            refusals,
            refusal ->
                json.number("line", refusal.line())
                    .text("field", refusal.field())
                    .text("problem", refusal.problem()))
        .list(
            "unknown_fields",
            unknown,
            field ->
                json.text("name", field.name())
                    .number("lines", field.lines())
                    .number("first_line", field.firstLine()));
  }
}
