package dev.agentmemory.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.MemoryStore;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A store for each test. After each test `verify` must find nothing wrong.
///
/// Use it as `@RegisterExtension final VerifiedStore opened = new VerifiedStore(() -> ...)`.
public final class VerifiedStore implements BeforeEachCallback, AfterEachCallback {

  private static final int FINDINGS = 100;

  private final Supplier<? extends MemoryStore> opening;
  private @Nullable MemoryStore store;

  public VerifiedStore(Supplier<? extends MemoryStore> opening) {
    this.opening = opening;
  }

  /// The store of the running test.
  public MemoryStore store() {
    return Objects.requireNonNull(store, "no test is running");
  }

  /// Closes the store and opens it again.
  public MemoryStore reopen() {
    store().close();
    store = opening.get();
    return store;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    store = opening.get();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    try (MemoryStore last = store()) {
      // After a failed test, further findings would only hide the failure.
      if (context.getExecutionException().isEmpty()) {
        assertThat(last.verify(FINDINGS)).isEmpty();
      }
    }
  }
}
