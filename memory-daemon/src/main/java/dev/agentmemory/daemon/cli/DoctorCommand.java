package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.JobView;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.cli.Screen.Ink;
import dev.agentmemory.daemon.config.Version;
import dev.agentmemory.store.DaemonReport;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Looks for what is wrong and says what to do about it.
@Command(
    name = "doctor",
    description = "Checks daemon, token, store and disk, and says what to do. May take a while.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

  private static final int MOST_FINDINGS = 20;
  private static final long LITTLE_SPACE = 1L << 30;

  private final MemoryCommand memory;

  private boolean well = true;
  private boolean reachable = true;

  DoctorCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Path data = memory.data();
    check("versions", Version.current() + ", Java " + Runtime.version(), true, "");
    directory(data);
    Optional<RunningDaemon> running = RunningDaemon.find(data);
    if (running.isEmpty()) {
      reachable = false;
      check("daemon", "not running", false, "start it: memory start --data " + data);
      return Exits.UNREACHABLE;
    }
    check("daemon", "pid " + running.get().pid() + ", port " + running.get().port(), true, "");
    try (MemoryClient client = memory.connect()) {
      daemon(client, data);
    } catch (MemoryException e) {
      reachable = e.code() != ErrorCode.UNREACHABLE;
      check("answers", "no: " + e.getMessage(), false, "look into " + log(data));
    }
    if (!reachable) {
      return Exits.UNREACHABLE;
    }
    return well ? Exits.OK : Exits.FAILED;
  }

  private void directory(Path data) throws IOException {
    if (!Files.isDirectory(data)) {
      check("directory", data + " does not exist yet", true, "");
      return;
    }
    check("directory", data + " " + mode(data), true, "");
    long free = Files.getFileStore(data).getUsableSpace();
    check(
        "disk",
        Amounts.bytes(free) + " free",
        free >= LITTLE_SPACE,
        "make room: below storage.min_free (64 MiB unless set) no more events are taken");
    Path token = data.resolve("token");
    boolean there = Files.isReadable(token);
    boolean closed = there && mode(token).equals("rw-------");
    check(
        "token",
        there ? mode(token) : "none",
        !there || closed,
        "others can read it: chmod 600 " + token);
  }

  private static String mode(Path file) throws IOException {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (UnsupportedOperationException e) {
      return "";
    }
  }

  private void daemon(MemoryClient client, Path data) {
    check("serving", client.serving() ? "yes" : "no", client.serving(), "look into " + log(data));
    DaemonReport report = client.stats();
    boolean same = report.version().equals(Version.current());
    check(
        "same version",
        report.version(),
        same,
        "the daemon is of another version than this command: memory stop, then memory start");
    check("contents", Progress.of(report).sentence(), true, "");
    long letters = report.store().deadLetters();
    check(
        "dead letters",
        Long.toString(letters),
        letters == 0,
        "changes that could not be applied are kept; the log says why: "
            + log(data)
            + "; once mended try them again: memory jobs run dead_letters");
    // Each says itself what to do.
    report.problems().forEach(problem -> check("problem", problem, false, ""));
    client.jobs().jobs().forEach(job -> job(job, data));
    store(client.verify(MOST_FINDINGS));
  }

  /// A job is worth a line when it has failed, or has found something.
  private void job(JobView job, Path data) {
    if (job.lastOutcome() == JobView.Outcome.FAILED) {
      check("job", job.name() + ": " + job.lastError().orElse(""), false, "look into " + log(data));
    }
    String findings = job.metadata().getOrDefault("findings", "0");
    if (!findings.equals("0")) {
      String first = job.metadata().getOrDefault("finding_1", "");
      check(job.name(), findings + " found, first " + first, false, "what holds now follows");
    }
  }

  private void store(List<Finding> findings) {
    check("store", findings.isEmpty() ? "all records agree" : "", findings.isEmpty(), "");
    for (Finding finding : findings) {
      String where = finding.table() + " " + finding.key();
      memory.screen().wrapped("    ", "      ", where + ": " + finding.problem());
    }
    if (!findings.isEmpty()) {
      memory.screen().line("    keep a copy of the directory before you mend it");
    }
  }

  private static Path log(Path data) {
    return data.resolve("logs").resolve("daemon.out");
  }

  private void check(String name, String found, boolean good, String remedy) {
    Screen screen = memory.screen();
    String mark = good ? screen.ink(Ink.GOOD, "ok  ") : screen.ink(Ink.BAD, "BAD ");
    screen.line(mark + "%-14s ".formatted(name) + found);
    if (!good) {
      well = false;
      if (!remedy.isEmpty()) {
        screen.wrapped("    → ", "      ", remedy);
      }
    }
  }
}
