package dev.agentmemory.bench.agents.model;

import java.util.List;

/// One answer of the model: a text, calls of tools, or both.
public record ModelReply(String text, List<ToolCall> calls) {

  public ModelReply {
    calls = List.copyOf(calls);
  }

  public static ModelReply text(String text) {
    return new ModelReply(text, List.of());
  }
}
