package dev.agentmemory.cli;

import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.LogPlace;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.process.ProcessState;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Stops the daemon of a data directory.
@Command(
    name = "stop",
    description = "Stops the daemon after it has finished open calls (30 s at most).",
    mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {

  public static final Duration DEADLINE = Duration.ofSeconds(30);

  /// Time for a process to end after it has released its lock or was killed.
  private static final Duration LAST_STEPS = Duration.ofSeconds(5);

  private final MemoryCommand memory;

  @Option(
      names = "--force",
      description = "Kill the daemon if it does not stop in time. Acknowledged events stay stored.")
  private boolean force;

  StopCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path data = memory.data();
    DaemonState state = DaemonState.of(data);
    if (state instanceof DaemonState.Absent) {
      memory.say(down("no daemon runs on " + data, Optional.empty(), false, data));
      return ExitCodes.OK;
    }
    Optional<ProcessHandle> process = state.process(data);
    if (process.isEmpty()) {
      memory.screen().error(elsewhere(state, data));
      return ExitCodes.FAILED;
    }
    return stop(state, process.get(), data);
  }

  private static String elsewhere(DaemonState state, Path data) {
    return data
        + " is locked by process "
        + state.holder().stream().mapToObj(pid -> pid + ", ").findFirst().orElse("")
        + "which is not visible as a daemon from here; stop it in its container or as its user, or"
        + " stop the program that holds the lock";
  }

  private int stop(DaemonState state, ProcessHandle process, Path data)
      throws InterruptedException {
    memory.screen().progress("stopping ...");
    boolean suspended = ProcessState.of(process.pid()) == ProcessState.SUSPENDED;
    boolean answers = !suspended && answers(state);
    // A suspended process would end only when it is continued, maybe much later.
    boolean ended = !suspended && end(process, data, answers ? DEADLINE : timeout());
    boolean killed = !ended && force && kill(process, data);
    memory.screen().progress("");
    if (ended || killed) {
      String what = "agent-memory " + (killed ? "killed" : "stopped") + ": pid " + process.pid();
      memory.say(down(what, Optional.of(process.pid()), killed, data));
      return ExitCodes.OK;
    }
    memory.screen().error(answers ? busy(process.pid(), data) : state.sentence());
    return answers ? ExitCodes.FAILED : ExitCodes.UNREACHABLE;
  }

  private boolean answers(DaemonState state) {
    return state instanceof RunningDaemon daemon && daemon.answers(timeout());
  }

  private Duration timeout() {
    return memory.deadlines().alive();
  }

  private static boolean end(ProcessHandle process, Path data, Duration atMost)
      throws InterruptedException {
    process.destroy();
    return awaitEnd(process, data, atMost);
  }

  private static boolean kill(ProcessHandle process, Path data) throws InterruptedException {
    process.destroyForcibly();
    return awaitEnd(process, data, LAST_STEPS);
  }

  /// A daemon has ended when it has released its lock. Its process may stay in the list of
  /// processes until its parent reads the exit status.
  private static boolean awaitEnd(ProcessHandle process, Path data, Duration atMost)
      throws InterruptedException {
    if (!Polling.until(atMost, () -> !hasDirectory(process, data))) {
      return false;
    }
    Polling.until(LAST_STEPS, () -> ProcessState.of(process.pid()).ended());
    return true;
  }

  private static boolean hasDirectory(ProcessHandle process, Path data) {
    return DaemonState.of(data).holder().stream().anyMatch(pid -> pid == process.pid());
  }

  private static String busy(long pid, Path data) {
    return "pid "
        + pid
        + " is still running after "
        + Format.time(DEADLINE)
        + "; check "
        + LogPlace.file(data)
        + ", or kill it with `memory stop --force`";
  }

  /// @param pid of the daemon that was stopped; empty when none ran
  /// @param killed whether it was killed because it did not end by itself
  private static Reply down(String what, Optional<Long> pid, boolean killed, Path data) {
    return Reply.line(
        what,
        json ->
            json.flag("stopped", pid.isPresent())
                .number("pid", pid)
                .text("data", data.toString())
                .flag("killed", killed));
  }
}
