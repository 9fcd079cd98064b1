package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.offline.DataRecovery;
import dev.agentmemory.engine.offline.DeepCheck;
import dev.agentmemory.engine.offline.OfflineStores;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// What `doctor --deep` looks at: every file of every store, and without a daemon every record.
final class DeepCheckup {

  static final String INDEX_DROPPED =
      "its damaged search index was deleted; the daemon rebuilds it from the events";

  private final InstantSource clock;
  private final EngineConfig config;
  private final Terminal screen;

  DeepCheckup(InstantSource clock, EngineConfig config, Terminal screen) {
    this.clock = clock;
    LibraryAdvice.silence();
    this.config = config;
    this.screen = screen;
  }

  /// Checks the files of stores that a daemon has open; their records it checks itself.
  List<DeepCheck.Checked> files() throws IOException {
    return each((check, store) -> check.files(store));
  }

  /// Checks files and records of closed stores.
  List<DeepCheck.Checked> whole() throws IOException {
    return each(DeepCheckup::whole);
  }

  private List<DeepCheck.Checked> each(BiFunction<DeepCheck, StoreLocation, DeepCheck.Checked> look)
      throws IOException {
    var check = new DeepCheck(config, clock);
    var checked = new ArrayList<DeepCheck.Checked>();
    for (StoreLocation store : OfflineStores.of(config)) {
      screen.progress("checking the files of " + OfflineStores.name(store) + " ...");
      checked.add(look.apply(check, store));
    }
    screen.progress("");
    return checked;
  }

  /// A store that cannot be looked at does not keep the others from it.
  private static DeepCheck.Checked whole(DeepCheck check, StoreLocation store) {
    try {
      return check.whole(store);
    } catch (MemoryException e) {
      String name = OfflineStores.name(store);
      var why = new Finding("store", name, String.valueOf(e.getMessage()));
      return new DeepCheck.Checked(name, /* whole= */ false, List.of(why), List.of());
    }
  }

  /// Replaces stores in which something is wrong by what can be made of them without a loss, and
  /// deletes damaged search indexes.
  DataRecovery.Done fixed() throws IOException {
    return new DataRecovery(clock, config, /* acceptLoss= */ false, screen::progress).inPlace();
  }
}
