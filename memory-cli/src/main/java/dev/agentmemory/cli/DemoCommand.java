package dev.agentmemory.cli;

import dev.agentmemory.cli.demo.DemoHouse;
import dev.agentmemory.cli.demo.DemoTour;
import dev.agentmemory.cli.terminal.Exits;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Shows the whole path on a sample.
@Command(
    name = "demo",
    description = {
      "Shows everything on a sample: three weeks of a developer and two agents.",
      "Uses a directory of its own, a free port, and leaves nothing behind."
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
      throw MemoryException.invalid("--json", "is of no use here: a demo is for people");
    }
    try (DemoHouse house = DemoHouse.open(memory.screen(), memory.environment())) {
      new DemoTour(memory.screen(), house).show();
      return house.well() ? Exits.OK : Exits.FAILED;
    }
  }
}
