package dev.agentmemory.engine;

import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.internal.folder.BackupRuns;
import dev.agentmemory.engine.internal.stores.OpenedStore;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The stores of a daemon in which each workspace has its own, as they are backed up.
final class BackupStores implements BackupRuns.Stores {

  private final WorkspaceRegistry workspaces;
  private final StoreRegistry stores;
  private final Supplier<OpenedStore> account;

  /// @param account opens the store of the account
  BackupStores(WorkspaceRegistry workspaces, StoreRegistry stores, Supplier<OpenedStore> account) {
    this.workspaces = workspaces;
    this.stores = stores;
    this.account = account;
  }

  @Override
  public List<String> names(List<WorkspaceName> asked) {
    Optional<WorkspaceName> unknown = asked.stream().filter(name -> !stores.has(name)).findFirst();
    if (unknown.isPresent()) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no workspace %s; `memory workspaces` lists them".formatted(unknown.get()));
    }
    List<WorkspaceName> chosen = asked.isEmpty() ? stores.names() : asked;
    var names = new ArrayList<>(chosen.stream().map(WorkspaceName::value).toList());
    if (asked.isEmpty() && stores.hasAccount()) {
      names.add(BackupMaker.ACCOUNT);
    }
    return names;
  }

  @Override
  public BackupWriter.Written make(
      BackupMaker.Run run, String name, boolean withIndex, BackupProgress progress) {
    if (name.equals(BackupMaker.ACCOUNT)) {
      return run.make(name, new StoreOnly(account.get()), /* withIndex= */ false, progress);
    }
    return workspaces.with(
        new WorkspaceName(name), workspace -> workspace.backUp(run, withIndex, progress));
  }

  /// A store without a search index.
  private record StoreOnly(OpenedStore store) implements StoreBackup.Files {

    @Override
    public void linkStore(Path folder) {
      store.files().orElseThrow().accept(folder);
    }

    @Override
    public boolean linkIndex(Path folder) {
      return false;
    }

    @Override
    public void noteForgotten(Path folder) {
      // Memories of the account go with those of the workspaces.
    }
  }

  /// The one store that workspaces share.
  ///
  /// @param whole opens it when it is not open
  /// @param hasAccount whether there is a store of the account
  /// @param account opens that one
  record Shared(
      Supplier<OpenWorkspace> whole, BooleanSupplier hasAccount, Supplier<OpenedStore> account)
      implements BackupRuns.Stores {

    @Override
    public List<String> names(List<WorkspaceName> asked) {
      if (!asked.isEmpty()) {
        throw MemoryException.invalid(
            "workspaces",
            "names one of the workspaces that share a store (multi_agent_mode = unified), which can"
                + " only be backed up as a whole; omit it");
      }
      return hasAccount.getAsBoolean()
          ? List.of(WorkspaceFactory.SHARED, BackupMaker.ACCOUNT)
          : List.of(WorkspaceFactory.SHARED);
    }

    @Override
    public BackupWriter.Written make(
        BackupMaker.Run run, String name, boolean withIndex, BackupProgress progress) {
      return name.equals(BackupMaker.ACCOUNT)
          ? run.make(name, new StoreOnly(account.get()), /* withIndex= */ false, progress)
          : whole.get().backUp(run, withIndex, progress);
    }
  }
}
