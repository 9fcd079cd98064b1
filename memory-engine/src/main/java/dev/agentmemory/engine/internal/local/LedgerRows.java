package dev.agentmemory.engine.internal.local;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agentmemory.model.Attempted;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Optional;

/// Makes rows of the ledger, and counts them in the budget of the day.
///
/// @param job who asks
/// @param model as `provider/model`
record LedgerRows(String job, String model, TokenBudget budget) {

  /// @param node what was asked about
  List<ModelCall> counted(List<Attempted> attempts, Optional<NodeId> node) {
    List<ModelCall> calls = attempts.stream().map(attempt -> call(attempt, node)).toList();
    calls.forEach(budget::add);
    return calls;
  }

  private ModelCall call(Attempted attempt, Optional<NodeId> node) {
    return new ModelCall(
        UlidCreator.getUlid(attempt.time().toEpochMilli()).toString(),
        attempt.time(),
        job,
        node,
        model,
        attempt.inputTokens(),
        attempt.outputTokens(),
        attempt.duration(),
        attempt.outcome());
  }
}
