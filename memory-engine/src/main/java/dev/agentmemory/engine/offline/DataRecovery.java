package dev.agentmemory.engine.offline;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.audit.RecordedAct;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.DirectoryLock;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.rocksdb.RecoveryReport;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.StoreRecovery;
import dev.agentmemory.search.IndexFileCheck;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Recovers the stores of a data directory that no daemon has open.
public final class DataRecovery {

  private final InstantSource clock;
  private final EngineConfig config;
  private final boolean acceptLoss;
  private final Consumer<String> progress;
  private final Replacement replacement;

  /// What became of a store.
  ///
  /// @param report what was recovered; empty when it failed
  /// @param error why it failed
  public record Store(String name, Optional<RecoveryReport> report, Optional<String> error) {}

  /// What was done.
  ///
  /// @param stores those in which something was wrong
  /// @param indexes the stores whose damaged search index was deleted; a daemon makes it again from
  ///   the events
  public record Done(List<Store> stores, List<String> indexes) {

    public Done {
      stores = List.copyOf(stores);
      indexes = List.copyOf(indexes);
    }
  }

  /// @param acceptLoss whether a new store is kept although something is missing in it
  /// @param progress is told what is being done, and an empty text at the end of it
  public DataRecovery(
      InstantSource clock, EngineConfig config, boolean acceptLoss, Consumer<String> progress) {
    this.clock = clock;
    this.config = config;
    this.acceptLoss = acceptLoss;
    this.progress = progress;
    this.replacement = new Replacement(config.data(), config.db(), clock);
  }

  /// Recovers every store into a new data directory.
  ///
  /// @throws MemoryException `CONFLICT` when something is there already
  public Done into(Path target) throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new MemoryException(
          ErrorCode.CONFLICT, target + " already exists; choose a new directory with --to");
    }
    var _ = OwnDirectory.claim(target, target.resolve("db"), clock.instant());
    var done = new ArrayList<Store>();
    RecordedAct act = begin(target);
    try {
      for (StoreLocation store : OfflineStores.of(config)) {
        done.add(recovered(store, StoreLocation.within(target, place(store, target))));
      }
    } catch (IOException | RuntimeException e) {
      act.failed(e);
      throw e;
    }
    end(act, done);
    if (done.stream().noneMatch(this::isKept)) {
      // The next try can have the same place.
      StoreDirectory.delete(target);
    }
    return new Done(done, List.of());
  }

  /// @param recorded the data directory in whose log it is recorded: the one that is changed
  private RecordedAct begin(Path recorded) {
    return RecordedAct.begin(
        new AuditLog(clock, recorded),
        AuditEntry.begin(AuditAct.RECOVER, AuditActor.CLI)
            .withDetails(
                Map.of(
                    "directory",
                    config.data().toString(),
                    "accept_loss",
                    Boolean.toString(acceptLoss))));
  }

  private void end(RecordedAct act, List<Store> stores) {
    long kept = stores.stream().filter(this::isKept).count();
    Map<String, String> details =
        Map.of(
            "stores",
            stores.stream().map(Store::name).collect(Collectors.joining(" ")),
            "recovered",
            Long.toString(kept));
    if (kept == stores.size()) {
      act.ok(details);
    } else {
      act.failed(ErrorCode.CORRUPT_RECORD, details);
    }
  }

  /// Wherever the stores are (`db_path`), in the new directory they are where a daemon looks first.
  private Path place(StoreLocation store, Path target) {
    Path directory = store.directory();
    boolean account = directory.equals(config.data().resolve(OwnDirectory.ACCOUNT));
    return (account ? target : target.resolve("db")).resolve(directory.getFileName());
  }

  private boolean isKept(Store store) {
    return store.report().filter(this::isKept).isPresent();
  }

  private boolean isKept(RecoveryReport report) {
    return report.isWhole() || acceptLoss;
  }

  /// Replaces every store in which something is wrong; the damaged one is kept. Deletes search
  /// indexes of which a file is damaged. No daemon can start meanwhile: it would write into a store
  /// that is moved away.
  ///
  /// @throws MemoryException `CONFLICT` when a daemon has the directory
  public Done inPlace() throws IOException {
    if (OfflineStores.of(config).isEmpty() && !replacement.isUnfinished()) {
      return new Done(List.of(), List.of());
    }
    try (var _ = DirectoryLock.take(config.data())) {
      return replacedAll();
    }
  }

  private Done replacedAll() throws IOException {
    RecordedAct act = begin(config.data());
    try {
      Done done = checkedAll();
      end(act, done.stores());
      return done;
    } catch (IOException | RuntimeException e) {
      act.failed(e);
      throw e;
    }
  }

  private Done checkedAll() throws IOException {
    replacement.finish();
    var stores = new ArrayList<Store>();
    var indexes = new ArrayList<String>();
    var check = new DeepCheck(config, clock);
    for (StoreLocation store : OfflineStores.of(config)) {
      Path index = OfflineStores.index(config, store);
      if (!IndexFileCheck.run(index).isEmpty()) {
        StoreDirectory.delete(index);
        indexes.add(OfflineStores.name(store));
      }
      checked(store, check).ifPresent(stores::add);
    }
    replacement.finish();
    return new Done(stores, indexes);
  }

  /// @return empty when nothing is wrong with it
  private Optional<Store> checked(StoreLocation store, DeepCheck check) throws IOException {
    String name = OfflineStores.name(store);
    progress.accept("checking " + name + " ...");
    try {
      return check.whole(store).whole() ? Optional.empty() : Optional.of(replaced(store));
    } catch (MemoryException e) {
      // That of one store says nothing about the others.
      return Optional.of(failed(name, e));
    } finally {
      progress.accept("");
    }
  }

  private static Store failed(String name, MemoryException e) {
    return new Store(name, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
  }

  private Store replaced(StoreLocation store) throws IOException {
    Path fresh = replacement.draft(store);
    Store done = recovered(store, StoreLocation.of(fresh));
    if (Files.exists(fresh, LinkOption.NOFOLLOW_LINKS)) {
      replacement.put(store);
    }
    return done;
  }

  private Store recovered(StoreLocation store, StoreLocation target) {
    String name = OfflineStores.name(store);
    progress.accept("reading " + name + " ...");
    try {
      var recovery = new StoreRecovery(store, target, config.storage(), clock);
      RecoveryReport report = recovery.run();
      if (!isKept(report)) {
        recovery.discard();
      }
      return new Store(name, Optional.of(report), Optional.empty());
    } catch (MemoryException e) {
      return failed(name, e);
    } finally {
      progress.accept("");
    }
  }
}
