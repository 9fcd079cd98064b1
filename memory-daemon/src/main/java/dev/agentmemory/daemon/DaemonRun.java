package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.WrittenSettings;
import dev.agentmemory.daemon.log.Logging;
import dev.agentmemory.daemon.memory.MemoryParts;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.toc.segment.BpeTokens;
import java.time.ZoneId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A daemon that is this process, from its start to the signal that ends it.
final class DaemonRun {

  private static final Logger LOG = LoggerFactory.getLogger(DaemonRun.class);

  private DaemonRun() {}

  static void serve(DaemonConfig config, WrittenSettings settings) throws InterruptedException {
    FileLimit.ofProcess().check();
    MemoryParts.of(config).check(config.ceiling());
    // Before the log is written into a directory that is not ours.
    OwnDirectory.claim(config.data(), config.engine().db(), SystemServices.ofMachine().now());
    // The launcher says whether the output is a terminal, because Java only knows about input and
    // output together.
    Logging.start(
        config.data(),
        config.log(),
        Boolean.getBoolean("agentmemory.terminal"),
        ZoneId.systemDefault());
    try (Daemon daemon = Daemon.start(config, Optional.of(settings))) {
      SignalHandlers.install(() -> stop(daemon));
      // After the daemon serves, so that a start does not wait for it.
      BpeTokens.load();
      daemon.await();
    }
    LOG.info("stopped");
  }

  private static void stop(Daemon daemon) {
    LOG.info("stopping: finishing open calls and pending writes");
    daemon.close();
  }
}
