package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Call;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Effect;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.Optional;

/// The tool that takes a memory back.
///
/// Idea: a deletion cannot be undone, and an agent may be wrong. So a memory that is retracted is
/// changed: it says only that it was retracted and why, and counts for nothing. What it said is in
/// its history, from which it can be restored. Consolidation drops short-term memories that count
/// for nothing, and merges those that say the same: so it becomes long-term and names its id. It
/// gets the kind that replaces no other memory and is replaced by none, whatever the reason says.
/// No tool shows it, unless by its id.
final class RetractTool {

  /// Begins the text of a memory that was retracted.
  static final String RETRACTED = "(retracted)";

  private static final int LONGEST_REASON = 200;

  private RetractTool() {}

  static MemoryTool retract() {
    return new MemoryTool(
        "memory_retract",
        "Retract a memory",
        "Take back a wrong memory; reversible by undo.",
        new ToolSchema()
            .with("id", "string", "mem: id")
            .with("reason", "string", "")
            .with("undo", "boolean", "")
            .required("id"),
        Effect.CHANGES,
        RetractTool::retracted);
  }

  private static String retracted(Call call) {
    MemoryId id = WritingTools.memoryId(call);
    Memories memories = call.memory().recall().memories();
    MemoryRecord memory = memories.get(id);
    if (call.arguments().flag("undo")) {
      return restored(memories, memory);
    }
    if (isRetracted(memory)) {
      return "[mem:" + id + "] is retracted already.";
    }
    String reason = MarkedTexts.without(call.arguments().text("reason").orElse("")).strip();
    if (reason.length() > LONGEST_REASON) {
      throw MemoryException.invalid(
          "reason", "is too long; use at most " + LONGEST_REASON + " characters");
    }
    String text = RETRACTED + " " + memory.id() + (reason.isEmpty() ? "" : ": " + reason);
    MemoryUpdate update =
        MemoryUpdate.NONE
            .withContent(MemoryContent.of(text))
            .withImportance(0)
            .withKind(MemoryKind.CONVERSATION);
    memories.update(
        memory.id(),
        memory.lifetime() == MemoryLifetime.SHORT_TERM
            ? update.withLifetime(MemoryLifetime.LONG_TERM)
            : update);
    return "Retracted [mem:" + memory.id() + "]; memory_retract with undo restores it.";
  }

  private static String restored(Memories memories, MemoryRecord memory) {
    if (!isRetracted(memory)) {
      throw MemoryException.invalid("undo", "has nothing to undo: the memory is not retracted");
    }
    Optional<MemoryRecord> former =
        memories.history(memory.id()).states().stream()
            .map(MemoryState::memory)
            .filter(state -> !isRetracted(state))
            .findFirst();
    MemoryRecord state =
        former.orElseThrow(
            () -> MemoryException.invalid("undo", "is not possible: no former state is kept"));
    memories.update(
        memory.id(),
        MemoryUpdate.NONE
            .withContent(state.content())
            .withImportance(state.importance())
            .withLifetime(state.lifetime())
            .withKind(state.kind()));
    return "Restored [mem:" + memory.id() + "].";
  }

  static boolean isRetracted(MemoryRecord memory) {
    return memory.content().text().startsWith(RETRACTED);
  }

  /// Whether a line of an answer is that of a memory that was retracted.
  static boolean isRetracted(String line) {
    return line.contains(RETRACTED) && line.contains("[mem:");
  }
}
