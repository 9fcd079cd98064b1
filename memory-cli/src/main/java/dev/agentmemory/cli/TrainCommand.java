package dev.agentmemory.cli;

import dev.agentmemory.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Training run of the packaging: runs the commands that only read, and one that stores a few
/// events, so that the JVM records the classes that they need. Commands that open a stream are left
/// out, because every command would load their classes with the cache.
@Command(
    name = TrainCommand.NAME,
    hidden = true,
    description = "Runs typical commands for the packaging of this program.")
final class TrainCommand implements Callable<Integer> {

  static final String NAME = "train";

  private static final List<List<String>> READS =
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

  TrainCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    int stored = memory.train(List.of("ingest", few.toString()));
    return Math.max(stored, READS.stream().mapToInt(memory::train).max().orElse(ExitCodes.OK));
  }
}
