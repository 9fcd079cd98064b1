package dev.agentmemory.engine.internal.local;

import dev.agentmemory.recall.derive.StatementRefiner;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.segment.LedgerRows;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// Has a model revise what is extracted from segments, within the first half of the day's budget:
/// the other half is left to summaries and orientation, which are more important. Without a store
/// that can be written no model is asked, since each request has to be in the ledger.
public final class ModelStatementRefiner implements StatementRefiner {

  private final StatementModel model;
  private final TokenBudget budget;
  private final MemoryStore store;
  private final Optional<WorkspaceName> owner;
  private final LedgerRows ledger;

  /// @param random chooses the ids of the rows of the ledger
  /// @param job who asks, in the ledger
  /// @param budget of the store, shared with whatever else asks models for it
  /// @param owner the workspace, if several share the store
  public ModelStatementRefiner(
      RandomGenerator random,
      StatementModel model,
      String job,
      TokenBudget budget,
      MemoryStore store,
      Optional<WorkspaceName> owner) {
    this.model = model;
    this.budget = budget;
    this.store = store;
    this.owner = owner;
    this.ledger = new LedgerRows(random, job, model.name(), budget);
  }

  @Override
  public boolean isReady() {
    return store.problem().isEmpty() && !model.isBackingOff() && isAffordable(1);
  }

  @Override
  public Answer refine(NodeId segment, List<Turn> turns) {
    StatementPrompt prompt = model.prompt(turns);
    boolean asks = isReady() && !prompt.turns().isEmpty() && isAffordable(model.cost(prompt));
    return asks ? ask(segment, prompt) : new Answer.Nothing(List.of());
  }

  private boolean isAffordable(long tokens) {
    return budget.has(budget.perDay() / 2 + tokens);
  }

  private Answer ask(NodeId segment, StatementPrompt prompt) {
    StatementModel.Reply reply = model.ask(prompt, this::isAffordable);
    NodeId node = owner.map(segment::in).orElse(segment);
    List<ModelCall> calls = ledger.counted(reply.calls(), Optional.of(node));
    if (reply.interrupted()) {
      return new Answer.Interrupted(calls);
    }
    return reply
        .answer()
        .<Answer>map(answer ->
            new Answer.Claims(
                prompt.turns().stream().map(Turn::event).collect(Collectors.toSet()),
                answer.claims(),
                answer.odd(),
                calls))
        .orElseGet(() -> new Answer.Nothing(calls));
  }
}
