package dev.agentmemory.cli;

import dev.agentmemory.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Runs the commands that only read, and one that stores a few events, one after the other, so that
/// the packaging can record what the JVM needs for them. Commands that open a stream are not among
/// them: what they need would be loaded with every command.
@Command(
    name = RehearseCommand.NAME,
    hidden = true,
    description = "Runs typical commands for the packaging of this program.")
final class RehearseCommand implements Callable<Integer> {

  static final String NAME = "rehearse";

  private static final List<List<String>> PIECES =
      List.of(
          List.of("status"),
          List.of("toc", "--depth", "4", "--grips"),
          List.of("events"),
          List.of("sessions"),
          List.of("jobs"),
          List.of("--help"));

  private final MemoryCommand memory;

  @Parameters(paramLabel = "FILE", description = "File with a few events to store.")
  private Path few = Path.of("-");

  RehearseCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    int stored = memory.rehearse(List.of("ingest", few.toString()));
    return Math.max(stored, PIECES.stream().mapToInt(memory::rehearse).max().orElse(ExitCodes.OK));
  }
}
