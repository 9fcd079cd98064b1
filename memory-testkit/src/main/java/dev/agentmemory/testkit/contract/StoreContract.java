package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.store.VerifiedStore;
import dev.agentmemory.types.Event;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Base of the store's contract suites. Each test gets an empty store of its own in UTC, in which
/// `verify` must find nothing afterwards.
public abstract class StoreContract {

  /// Opens nothing before a test begins, when the suite's constructor has run.
  @SuppressWarnings("this-escape")
  @RegisterExtension
  final VerifiedStore opened = new VerifiedStore(this::open);

  /// Opens an empty store in UTC.
  protected abstract MemoryStore open();

  protected final MemoryStore store() {
    return opened.store();
  }

  protected final List<Receipt> append(List<Event> events) {
    return store().commit(Commit.append(events));
  }

  protected final List<Receipt> append(Event... events) {
    return append(List.of(events));
  }

  protected final void commit(Change... changes) {
    store().commit(Commit.of(changes));
  }
}
