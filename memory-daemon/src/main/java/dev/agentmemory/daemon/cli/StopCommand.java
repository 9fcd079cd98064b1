package dev.agentmemory.daemon.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Stops the daemon of a data directory.
@Command(
    name = "stop",
    description = "Stops the daemon: open calls are answered, then it ends.",
    mixinStandardHelpOptions = true)
final class StopCommand implements Callable<Integer> {

  static final Duration DEADLINE = Duration.ofSeconds(30);

  private final MemoryCommand memory;

  StopCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws InterruptedException {
    Optional<RunningDaemon> running = RunningDaemon.find(memory.data());
    if (running.isEmpty()) {
      memory.say(new Down(Optional.empty(), memory.data()));
      return Exits.OK;
    }
    ProcessHandle process = running.get().process();
    memory.screen().progress("stopping ...");
    process.destroy();
    if (!Patience.until(DEADLINE, () -> !process.isAlive())) {
      memory
          .screen()
          .error(
              "pid "
                  + process.pid()
                  + " still runs after "
                  + Amounts.time(DEADLINE)
                  + "; look into "
                  + memory.data().resolve("logs").resolve("daemon.out"));
      return Exits.FAILED;
    }
    memory.screen().progress("");
    memory.say(new Down(Optional.of(process.pid()), memory.data()));
    return Exits.OK;
  }

  /// @param pid of the daemon that was stopped; empty when none ran
  private record Down(Optional<Long> pid, Path data) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(
          pid.map(number -> "agent-memory stopped: pid " + number)
              .orElse("no daemon runs on " + data));
    }

    @Override
    public void write(JsonPen json) {
      json.flag("stopped", pid.isPresent()).number("pid", pid).text("data", data.toString());
    }
  }
}
