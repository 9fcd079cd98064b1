package dev.agentmemory.cli;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.cli.reply.GripReply;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows the evidence behind a bullet.
@Command(
    name = "grip",
    description =
        "Shows a grip: an excerpt, the events that contain it, and the events around them.",
    mixinStandardHelpOptions = true,
    footer = {"", "`memory toc NODE --grips` prints the ids of grips."})
final class GripCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(paramLabel = "ID", description = "Id of the grip, such as grip:1767434400000:01KE...")
  private String id = "";

  @Option(
      names = "--before",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of events before the excerpt (default: ${DEFAULT-VALUE}).")
  private int before;

  @Option(
      names = "--after",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of events after the excerpt (default: ${DEFAULT-VALUE}).")
  private int after;

  GripCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    if (!GripId.isValid(id)) {
      throw MemoryException.invalid("ID", "is `" + id + "`; expected grip:<13 digits>:<ULID>");
    }
    return memory.answer(client -> {
      GripContext grip =
          client
              .contents()
              .expand(new GripId(id), before, after)
              .orElseThrow(
                  () -> new MemoryException(ErrorCode.NOT_FOUND, "there is no grip " + id));
      return new GripReply(grip, Times.of(client));
    });
  }
}
