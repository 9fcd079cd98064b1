package dev.agentmemory.testkit;

import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Small calls of models. The same arguments always give the same call.
public final class TestCalls {

  private TestCalls() {}

  /// A successful call.
  ///
  /// @param tail distinguishes calls of one millisecond, 0 and up
  public static ModelCall call(Instant at, long tail) {
    return call(at, tail, ModelCall.Outcome.SUCCESS, Optional.empty());
  }

  public static ModelCall call(
      Instant at, long tail, ModelCall.Outcome outcome, Optional<NodeId> node) {
    return new ModelCall(
        TestEvents.id(at, tail).value(),
        at,
        "llm_summaries",
        node,
        "openai/gpt-4o-mini",
        1200 + tail,
        340,
        Duration.ofMillis(2500),
        outcome);
  }
}
