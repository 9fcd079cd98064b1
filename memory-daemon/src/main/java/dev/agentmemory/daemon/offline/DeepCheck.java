package dev.agentmemory.daemon.offline;

import dev.agentmemory.storage.FileCheck;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.storage.StorageConfig;
import dev.agentmemory.storage.StoreLocation;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Checks a store from the checksums of its files up to what its records promise each other.
public final class DeepCheck {

  private static final int MOST_FINDINGS = 20;
  private static final String STORE = "store";

  private final StorageConfig config;
  private final InstantSource clock;

  public DeepCheck(StorageConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
  }

  /// Checks the files only, which a daemon may have open.
  ///
  /// @return what is wrong, 20 findings at most; empty when nothing is
  public static List<Finding> files(StoreLocation store) {
    return FileCheck.run(store.directory()).stream().limit(MOST_FINDINGS).toList();
  }

  /// What a check came to.
  ///
  /// @param store its name
  /// @param findings what is wrong, 20 at most; empty when nothing is
  /// @param notes what was missing and could be written anew by opening the store
  public record Checked(String store, List<Finding> findings, List<String> notes) {

    public Checked {
      findings = List.copyOf(findings);
      notes = List.copyOf(notes);
    }

    public boolean isSound() {
      return findings.isEmpty();
    }
  }

  /// Checks files and records of a store that nobody has open.
  ///
  /// @throws MemoryException `CONFLICT` when a process has it open, `UNSUPPORTED_FORMAT` when it is
  ///   of a newer version, `STORAGE_FAILED` when the disk refuses
  public Checked whole(StoreLocation store) {
    var found = new ArrayList<>(files(store));
    List<String> notes = List.of();
    try (RocksStore opened = RocksStore.open(store, config, clock)) {
      notes = opened.notes();
      found.addAll(opened.verify(MOST_FINDINGS));
    } catch (MemoryException e) {
      if (e.code().kind() != ErrorCode.Kind.CORRUPT) {
        throw e;
      }
      found.add(new Finding(STORE, name(store), String.valueOf(e.getMessage())));
    }
    return new Checked(name(store), found.stream().limit(MOST_FINDINGS).toList(), notes);
  }

  static String name(StoreLocation store) {
    return String.valueOf(store.directory().getFileName());
  }
}
