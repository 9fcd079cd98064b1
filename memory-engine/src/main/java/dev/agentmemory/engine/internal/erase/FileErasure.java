package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.api.forget.ConversationFiles.Erased;
import dev.agentmemory.api.forget.ConversationFiles.ErasedWords;
import dev.agentmemory.api.forget.ConversationFiles.Removed;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Removes what is erased from files outside the store. That comes before the store is changed: the
/// words are needed, and what a crash cuts off then is not decided yet, so it is asked for again.
public final class FileErasure {

  private static final int PAGE = 500;

  private final Supplier<ConversationFiles> files;
  private final MemoryStore store;
  private final Optional<WorkspaceName> only;
  private final Supplier<List<String>> kept;

  /// @param only the workspace of the store; empty when several share it
  /// @param kept names what is left of other stores, and how to remove it
  public FileErasure(
      Supplier<ConversationFiles> files,
      MemoryStore store,
      Optional<WorkspaceName> only,
      Supplier<List<String>> kept) {
    this.files = files;
    this.store = store;
    this.only = only;
    this.kept = kept;
  }

  /// Stores what waits in files.
  ///
  /// @return what could not be stored
  List<String> takeIn() {
    return files.get().takeIn();
  }

  /// Removes what is going to be erased, and says in the receipt what is left.
  ///
  /// @param unstored what could not be stored before
  ErasurePlan remove(ErasurePlan plan, List<String> unstored, boolean dryRun) {
    WorkspaceName workspace = plan.owner().or(() -> only).orElseThrow();
    var erased =
        new Erased(
            workspace,
            plan.all(),
            plain(plan.whole()),
            plain(plan.events().keySet()),
            () -> events(plan));
    Removed removed = files.get().remove(erased, dryRun);
    List<String> left = new ArrayList<>(unstored);
    left.addAll(removed.left());
    left.addAll(kept.get());
    return plan.withReceipt(plan.receipt().withFiles(new Removed(removed.files(), left)));
  }

  private static Set<SessionId> plain(Set<SessionId> sessions) {
    return sessions.stream().map(SessionId::plain).collect(Collectors.toSet());
  }

  private Stream<ErasedWords> events(ErasurePlan plan) {
    return plan.events().values().stream()
        .flatMap(keys -> {
          List<EventKey> sorted = keys.stream().sorted().toList();
          return Stream.iterate(0, from -> from < sorted.size(), from -> from + PAGE)
              .flatMap(from -> read(sorted.subList(from, Math.min(sorted.size(), from + PAGE))));
        });
  }

  private Stream<ErasedWords> read(List<EventKey> keys) {
    List<ErasedWords> found = new ArrayList<>();
    EventSelection.read(
        store.events(),
        keys,
        event -> found.add(new ErasedWords(event.session().plain(), event.text())));
    return found.stream();
  }
}
