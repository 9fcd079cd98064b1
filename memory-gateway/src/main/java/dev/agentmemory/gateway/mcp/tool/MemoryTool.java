package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// A tool that works on the memory of one workspace.
///
/// @param purpose one sentence that tells a model when to use it
/// @param work gives the text of the answer
record MemoryTool(
    String name, String title, String purpose, ToolSchema schema, Effect effect, Work work) {

  /// What a call does to the memory.
  enum Effect {
    READS,
    /// Adds, and repeated adds again.
    ADDS,
    /// Changes or hides what is there.
    CHANGES;

    Access access() {
      return this == READS ? Access.READ : Access.WRITE;
    }
  }

  /// What a tool does.
  @FunctionalInterface
  interface Work {

    /// @throws MemoryException becomes an error of the tool
    String answer(Call call);
  }

  /// A call of a tool.
  ///
  /// @param session that the call belongs to, if that is known
  /// @param client the program that calls, if it says so
  /// @param tokens counts those of a text
  record Call(
      Memory memory,
      ToolArguments arguments,
      Optional<SessionId> session,
      Optional<String> client,
      InstantSource clock,
      ToIntFunction<String> tokens) {

    AnswerBudget budget() {
      return new AnswerBudget(tokens, arguments.budget());
    }

    /// The session that an argument names, else that of the call.
    Optional<SessionId> anySession() {
      return arguments
          .text("session")
          .map(text -> SessionId.parseStored("session", text))
          .or(() -> session);
    }
  }
}
