package dev.agentmemory.cli;

/// The program of the commands that need no store: it loads no part of the engine. The launcher
/// runs it when it sees the name of one of them, and the daemon's program otherwise.
public final class OnlineMain {

  private OnlineMain() {}

  /// Ends the process with the command's exit code.
  public static void main(String[] args) {
    System.exit(MemoryCommand.run(args, OnlineCommands.all()));
  }
}
