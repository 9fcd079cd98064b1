package dev.agentmemory.api.upkeep;

import java.util.List;
import java.util.function.Consumer;

/// Takes memories out and in as JSON Lines.
public interface Exchange {

  /// Writes memories, channels, conversations and scratchpads, one JSON object a line;
  /// docs/memories.md defines the fields.
  ///
  /// What cannot be read is left out; then the last line, with the `record` `unreadable`, says how
  /// much. Does not count as access.
  ///
  /// @param lines receives them in order
  void export(ExportRequest request, Consumer<String> lines);

  /// Reads lines of an export, or of a `memory.jsonl` of another program with the fields that
  /// docs/memories.md lists. A line that is wrong is skipped and reported. Importing twice changes
  /// nothing. Blank lines are not counted. References need not lead anywhere yet: what they name
  /// may come in a later call.
  ///
  /// @param firstLine the number of the first line, 1 and up, for the report
  /// @param lines at most 1,000
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when there are more lines, or
  ///   the caller names none of several workspaces of a shared store; of the kinds `BUSY` and
  ///   `UNAVAILABLE` when the store cannot be written. Repeat the call then
  ImportReport importLines(long firstLine, List<String> lines);
}
