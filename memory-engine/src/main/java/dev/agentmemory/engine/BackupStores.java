package dev.agentmemory.engine;

import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.engine.internal.folder.BackupRuns;
import dev.agentmemory.engine.internal.folder.WorkspaceFolders;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupWriter;
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
  private final Path account;

  BackupStores(WorkspaceRegistry workspaces, EngineConfig config) {
    this.workspaces = workspaces;
    this.account = config.data().resolve(OwnDirectory.ACCOUNT);
  }

  @Override
  public List<String> names(List<WorkspaceName> asked) {
    WorkspaceFolders folders = workspaces.folders();
    Optional<WorkspaceName> unknown = asked.stream().filter(name -> !folders.has(name)).findFirst();
    if (unknown.isPresent()) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no workspace %s; `memory workspaces` lists them".formatted(unknown.get()));
    }
    List<WorkspaceName> chosen = asked.isEmpty() ? folders.names() : asked;
    var names = new ArrayList<>(chosen.stream().map(WorkspaceName::value).toList());
    if (asked.isEmpty() && RocksStore.isStore(account)) {
      names.add(BackupMaker.ACCOUNT);
    }
    return names;
  }

  @Override
  public BackupWriter.Written make(
      BackupMaker.Run run, String name, boolean withIndex, BackupProgress progress) {
    if (name.equals(BackupMaker.ACCOUNT)) {
      return run.make(name, new StoreOnly(workspaces.account()), /* withIndex= */ false, progress);
    }
    return workspaces.with(
        new WorkspaceName(name), workspace -> workspace.backUp(run, withIndex, progress));
  }

  /// A store without a search index.
  private record StoreOnly(RocksStore store) implements StoreBackup.Files {

    @Override
    public void linkStore(Path folder) {
      store.checkpoint(folder);
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
      Supplier<OpenWorkspace> whole, BooleanSupplier hasAccount, Supplier<RocksStore> account)
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
