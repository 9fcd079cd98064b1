package dev.agentmemory.cli;

import dev.agentmemory.cli.demo.DemoDaemon;
import dev.agentmemory.cli.demo.DemoTour;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Shows ingest, table of contents and search with sample events.
@Command(
    name = "demo",
    description = {
      "Demonstrates ingest, table of contents and search on sample data.",
      "Uses a temporary directory and a free port, and deletes the directory at the end."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  DemoCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (memory.isJson()) {
      throw MemoryException.invalid("--json", "is not supported by this command");
    }
    try (DemoDaemon demo = DemoDaemon.open(memory.screen(), memory.environment())) {
      new DemoTour(memory.system(), memory.screen(), demo).show();
      return demo.well() ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }
}
