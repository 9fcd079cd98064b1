package dev.agentmemory.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Contract of a [StoreRegistry].
public abstract class RegistryContract {

  private static final WorkspaceName A = new WorkspaceName("a");
  private static final WorkspaceName B = new WorkspaceName("b");
  private static final StoreNote NOTE =
      new StoreNote(
          Optional.of(Instant.ofEpochMilli(1_700_000_000_123L)),
          7,
          2,
          Optional.of(Instant.ofEpochMilli(1_700_000_100_456L)));

  /// A registry that has no store at first.
  protected abstract StoreRegistry registry();

  /// The same stores as another process finds them later.
  protected abstract StoreRegistry another();

  private static Event event(int number) {
    return TestEvents.messages("s", number).getLast();
  }

  private void append(WorkspaceName name, int number) {
    try (MemoryStore store = registry().open(name)) {
      var _ = store.commit(Commit.append(List.of(event(number))));
    }
  }

  private static long events(MemoryStore opened) {
    try (opened) {
      return opened.stats().events();
    }
  }

  @Test
  void emptyRegistry_hasNothing() {
    assertThat(registry().names()).isEmpty();
    assertThat(registry().has(A)).isFalse();
    assertThat(registry().isOccupied(A)).isFalse();
    assertThat(registry().note(A)).isEmpty();
    assertThat(registry().bytes(A)).isZero();
    assertThat(registry().hasAccount()).isFalse();
  }

  @Test
  void store_isThereOnceItWasOpened_alsoForAnotherProcess() {
    append(B, 1);
    append(A, 1);
    append(A, 2);

    for (StoreRegistry each : List.of(registry(), another())) {
      assertThat(each.names()).containsExactly(A, B);
      assertThat(each.has(A)).isTrue();
      assertThat(each.isOccupied(A)).isTrue();
      assertThat(each.hasAccount()).isFalse();
    }
    assertThat(events(another().open(A))).isEqualTo(2);
    assertThat(events(another().open(B))).isEqualTo(1);
  }

  @Test
  void note_isThereUntilTheStoreIsOpened() {
    append(A, 1);
    append(B, 1);
    assertThat(registry().note(A)).isEmpty();

    registry().note(A, NOTE);

    assertThat(registry().note(A)).contains(NOTE);
    assertThat(another().note(A)).contains(NOTE);
    assertThat(registry().note(B)).isEmpty();
    try (MemoryStore open = another().open(A)) {
      assertThat(open.stats().events()).isOne();
      assertThat(another().note(A)).isEmpty();
    }
    assertThat(another().note(A)).isEmpty();
  }

  @Test
  void note_ofNothing_isKept() {
    append(A, 1);
    var nothing = new StoreNote(Optional.empty(), 1, 1, Optional.empty());
    registry().note(A, nothing);
    assertThat(another().note(A)).contains(nothing);
  }

  @Test
  void deletedStore_isGone_andOpensAnewWithoutAnything() {
    append(A, 1);
    append(B, 1);
    registry().note(A, NOTE);

    registry().delete(A);

    assertThat(registry().names()).containsExactly(B);
    assertThat(another().has(A)).isFalse();
    assertThat(another().isOccupied(A)).isFalse();
    assertThat(another().note(A)).isEmpty();
    assertThat(events(another().open(A))).isZero();
    assertThat(events(another().open(B))).isOne();
  }

  @Test
  void deletionOfWhatIsNotThere_doesNothing() {
    append(B, 1);
    registry().delete(A);
    assertThat(registry().names()).containsExactly(B);
  }

  @Test
  void account_isAStoreThatNoWorkspaceHas() {
    try (MemoryStore account = registry().openAccount()) {
      var _ = account.commit(Commit.append(List.of(event(1))));
    }
    assertThat(another().hasAccount()).isTrue();
    assertThat(another().names()).isEmpty();
    assertThat(events(another().openAccount())).isOne();
  }
}
