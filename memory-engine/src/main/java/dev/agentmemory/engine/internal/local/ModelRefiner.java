package dev.agentmemory.engine.internal.local;

import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.Prompt;
import dev.agentmemory.recall.orient.OrientationRefiner;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.segment.LedgerRows;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has a model revise the selection of an orientation, within the budget of the day. Every request
/// is in the ledger of the workspace; without a store that can be written no model is asked.
public final class ModelRefiner implements OrientationRefiner {

  /// Who asked, in the ledger.
  public static final String JOB = "orientation";

  private static final Logger LOG = LoggerFactory.getLogger(ModelRefiner.class);

  private final LineChooser chooser;
  private final TokenBudget budget;
  private final MemoryStore store;
  private final LedgerRows ledger;

  /// What the requests may take that run now: several can run at once.
  private final AtomicLong reserved = new AtomicLong();

  /// @param random chooses the ids of the rows of the ledger
  /// @param budget of the workspace, shared with whatever else asks models for it
  /// @param store has the ledger
  public ModelRefiner(
      RandomGenerator random, LineChooser chooser, TokenBudget budget, MemoryStore store) {
    this.chooser = chooser;
    this.budget = budget;
    this.store = store;
    this.ledger = new LedgerRows(random, JOB, chooser.name(), budget);
  }

  @Override
  public Optional<List<Integer>> choose(Draft draft) {
    if (store.problem().isPresent()) {
      return Optional.empty();
    }
    Prompt prompt = chooser.prompt(draft);
    long cost = chooser.cost(prompt);
    long all = reserved.addAndGet(cost);
    try {
      return budget.has(all) ? ask(prompt, all - cost) : Optional.empty();
    } finally {
      reserved.addAndGet(-cost);
    }
  }

  /// @param others tokens that other requests may take
  private Optional<List<Integer>> ask(Prompt prompt, long others) {
    LineChooser.Choice choice = chooser.choose(prompt, tokens -> budget.has(others + tokens));
    return record(choice.calls()) ? choice.lines() : Optional.empty();
  }

  /// @return false when the ledger could not be written
  private boolean record(List<Attempted> attempts) {
    List<ModelCall> calls = ledger.counted(attempts, Optional.empty());
    try {
      if (!calls.isEmpty()) {
        var _ =
            store.commit(Commit.of(calls.stream().<Change>map(Change.RecordCall::new).toList()));
      }
      return true;
    } catch (MemoryException e) {
      LOG.warn("{} requests of an orientation are not in the ledger", calls.size(), e);
      return false;
    }
  }
}
