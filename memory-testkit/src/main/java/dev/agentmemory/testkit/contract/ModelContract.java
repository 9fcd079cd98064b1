package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.MemoryException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Contract: a store behaves like [HeapStore] for any commits. Both are compared after every
/// commit, so a failure prints the shortest failing prefix.
public abstract class ModelContract {

  private static final int COMMITS = 60;

  /// Opens an empty store in UTC.
  protected abstract MemoryStore open();

  /// Closes and opens a store that keeps its content; others are returned unchanged.
  protected MemoryStore reopen(MemoryStore store) {
    return store;
  }

  @Seeds(8)
  void commits_random_doWhatTheModelDoes(RandomGenerator random) {
    var commits = new RandomCommits(random);
    var done = new ArrayList<Commit>();
    MemoryStore store = open();
    MemoryStore model = new HeapStore(ZoneOffset.UTC);
    try {
      for (int i = 0; i < COMMITS; i++) {
        Commit commit = commits.next();
        done.add(commit);
        demandEqual(outcome(model, commit), outcome(store, commit), done);
        if (random.nextInt(20) == 0) {
          store = reopen(store);
        }
        demandEqual(read(model), read(store), done);
      }
    } finally {
      store.close();
      model.close();
    }
  }

  private static Map<String, Object> read(MemoryStore store) {
    return StoreReading.of(store, RandomCommits.nodes());
  }

  /// The receipts, or the code of the refusal.
  private static Map<String, Object> outcome(MemoryStore store, Commit commit) {
    try {
      List<Receipt> receipts = store.commit(commit);
      return Map.of("receipts", receipts);
    } catch (MemoryException e) {
      return Map.of("refused", e.code());
    }
  }

  private static void demandEqual(
      Map<String, Object> expected, Map<String, Object> found, List<Commit> done) {
    if (expected.equals(found)) {
      return;
    }
    var differences = new StringBuilder();
    expected.forEach((what, value) -> {
      if (!value.equals(found.get(what))) {
        differences.append("%n%s: expected %s%n  found %s".formatted(what, value, found.get(what)));
      }
    });
    var commits = new StringBuilder();
    done.forEach(commit -> commits.append("%n  ".formatted()).append(commit));
    throw new AssertionError(
        "differs after commit %d:%s%nafter these commits:%s"
            .formatted(done.size(), differences, commits));
  }
}
