package dev.agentmemory.cli;

import dev.agentmemory.spi.SystemServices;

/// The main class of the commands that need no store. It loads no part of the engine. The launcher
/// runs it for these commands, and the main class of the daemon for all others.
public final class OnlineMain {

  private OnlineMain() {}

  /// Ends the process with the command's exit code.
  public static void main(String[] args) {
    System.exit(MemoryCommand.run(SystemServices.ofMachine(), args, OnlineCommands.all()));
  }
}
