package dev.agentmemory.daemon.cli;

import dev.agentmemory.daemon.offline.DataRecovery;
import dev.agentmemory.daemon.offline.DeepCheck;
import dev.agentmemory.daemon.offline.OfflineStores;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.storage.StoreLocation;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// What `doctor --deep` looks at: every file of every store, and without a daemon every record.
final class DeepCheckup {

  private final EngineConfig config;
  private final Screen screen;

  DeepCheckup(EngineConfig config, Screen screen) {
    this.config = config;
    this.screen = screen;
  }

  /// Checks the files of stores that a daemon has open; their records it checks itself.
  List<DeepCheck.Checked> files() throws IOException {
    var checked = new ArrayList<DeepCheck.Checked>();
    for (StoreLocation store : OfflineStores.of(config)) {
      String name = progress(store);
      List<Finding> findings = DeepCheck.files(store);
      checked.add(new DeepCheck.Checked(name, findings, List.of()));
    }
    screen.progress("");
    return checked;
  }

  /// Checks files and records of stores that nobody has open.
  List<DeepCheck.Checked> whole() throws IOException {
    var check = new DeepCheck(config.storage(), InstantSource.system());
    var checked = new ArrayList<DeepCheck.Checked>();
    for (StoreLocation store : OfflineStores.of(config)) {
      checked.add(whole(check, store, progress(store)));
    }
    screen.progress("");
    return checked;
  }

  /// A store that cannot be looked at does not keep the others from it.
  private static DeepCheck.Checked whole(DeepCheck check, StoreLocation store, String name) {
    try {
      return check.whole(store);
    } catch (MemoryException e) {
      var why = new Finding("store", name, String.valueOf(e.getMessage()));
      return new DeepCheck.Checked(name, List.of(why), List.of());
    }
  }

  /// Replaces stores in which something is wrong by what can be made of them without a loss.
  List<DataRecovery.Store> fixed() throws IOException {
    return new DataRecovery(config, /* acceptLoss= */ false, screen::progress).inPlace();
  }

  private String progress(StoreLocation store) {
    String name = OfflineStores.name(store);
    screen.progress("checking the files of " + name + " ...");
    return name;
  }
}
