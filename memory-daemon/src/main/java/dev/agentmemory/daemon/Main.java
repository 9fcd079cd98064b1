package dev.agentmemory.daemon;

import dev.agentmemory.daemon.cli.MemoryCommand;
import dev.agentmemory.daemon.config.DaemonConfig;

/// The program: one command line for everything.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(MemoryCommand.run(args, Main::serve));
  }

  private static void serve(DaemonConfig config) throws InterruptedException {
    try (Daemon daemon = Daemon.start(config)) {
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(daemon::close));
      daemon.await();
    }
  }
}
