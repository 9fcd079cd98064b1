package dev.agentmemory.toc.segment;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.model.Attempted;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Makes rows of the ledger, and counts them in the budget of the day.
///
/// @param random chooses the ids of the rows
/// @param job who asks
/// @param model as `provider/model`
public record LedgerRows(RandomGenerator random, String job, String model, TokenBudget budget) {

  private static final int RANDOM_BYTES = 10;

  /// @param node what was asked about
  public List<ModelCall> counted(List<Attempted> attempts, Optional<NodeId> node) {
    List<ModelCall> calls = attempts.stream().map(attempt -> call(attempt, node)).toList();
    calls.forEach(budget::add);
    return calls;
  }

  private ModelCall call(Attempted attempt, Optional<NodeId> node) {
    byte[] tail = new byte[RANDOM_BYTES];
    random.nextBytes(tail);
    return new ModelCall(
        new Ulid(attempt.time().toEpochMilli(), tail).toString(),
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
