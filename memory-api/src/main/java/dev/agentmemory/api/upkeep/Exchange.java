package dev.agentmemory.api.upkeep;

import java.util.List;
import java.util.function.Consumer;

/// Takes memories out and in as JSON Lines.
public interface Exchange {

  /// Writes memories, channels, conversations and scratchpads, one JSON object a line;
  /// docs/memories.md defines the fields.
  ///
  /// @param lines receives them in order
  void export(ExportRequest request, Consumer<String> lines);

  /// Reads lines of an export, or of a `memory.jsonl` of another program with the fields that
  /// docs/memories.md lists. A line that is wrong is skipped and reported. Importing twice changes
  /// nothing.
  ///
  /// @param firstLine the number of the first line, 1 and up, for the report
  /// @param lines at most 1,000; references may name memories of the same call or stored ones
  ImportReport importLines(long firstLine, List<String> lines);
}
