package dev.agentmemory.daemon;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.daemon.command.AllCommands;
import dev.agentmemory.spi.SystemServices;

/// The program: one command line for everything.
public final class Main {

  private Main() {}

  /// Logging is set up only where a daemon runs: it would take half the time of a short command.
  public static void main(String[] args) {
    System.exit(
        MemoryCommand.run(SystemServices.ofMachine(), args, AllCommands.with(DaemonRun::serve)));
  }
}
