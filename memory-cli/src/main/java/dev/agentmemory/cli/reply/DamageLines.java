package dev.agentmemory.cli.reply;

import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.store.DamagedRange;
import java.util.List;

/// Reports the unreadable rows that an answer lacks.
public final class DamageLines {

  private DamageLines() {}

  /// @param ranges at least one
  public static String sentence(List<DamagedRange> ranges) {
    DamagedRange first = ranges.getFirst();
    String others = ranges.size() == 1 ? "" : " and " + (ranges.size() - 1) + " more";
    return "the answer is incomplete: %s in %s%s cannot be read (%s); run `memory doctor --deep`"
        .formatted(first.place(), first.table(), others, first.reason());
  }

  /// Adds the field `damaged` when there are such rows.
  public static void write(JsonWriter json, List<DamagedRange> ranges) {
    if (!ranges.isEmpty()) {
      json.list(
          "damaged",
          ranges,
          range ->
              json.text("table", range.table())
                  .text("from", range.from())
                  .text("to", range.to())
                  .text("reason", range.reason()));
    }
  }
}
