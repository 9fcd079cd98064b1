package dev.agentmemory.daemon.command;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.Version;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.agent.AgentReports;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.LogPlace;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.reply.IndexState;
import dev.agentmemory.cli.reply.StatusReply;
import dev.agentmemory.cli.reply.TocProgress;
import dev.agentmemory.cli.reply.Troubles;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.config.Setting;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.engine.data.NamedTokens;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.engine.data.Token;
import dev.agentmemory.engine.offline.DataRecovery;
import dev.agentmemory.engine.offline.DeepCheck;
import dev.agentmemory.rocksdb.RecoveryReport;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Looks for what is wrong and says what to do about it.
@Command(
    name = "doctor",
    description = "Checks daemon, token, store and disk, and prints remedies. May take a while.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

  /// How many findings of a store are shown; the others are counted.
  private static final int SHOWN = 20;

  private static final long LITTLE_SPACE = 1L << 30;

  private final MemoryCommand memory;

  @Option(
      names = "--deep",
      description = "Also read every file of every store and, while no daemon runs, every record.")
  private boolean deep;

  @Option(
      names = "--fix",
      description = {
        "With --deep: replace each damaged store that can be recovered without loss.",
        "The daemon must be stopped. The damaged stores are kept in the directory `damaged`."
      })
  private boolean fix;

  @Mixin private SettingOptions options = new SettingOptions();

  private final List<Check> checks = new ArrayList<>();
  private boolean reachable = true;

  /// How many findings are not shown, and whether there may be others that were not counted.
  private long more;

  private boolean uncounted;

  /// Whether no daemon has the directory, so that its stores can be opened here.
  private boolean offline;

  DoctorCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    if (fix && !deep) {
      throw MemoryException.invalid("--fix", "requires --deep; give both");
    }
    Path data = memory.data();
    List<Finding> findings = new ArrayList<>(examine(data));
    if (deep) {
      findings.addAll(lookDeep(data));
    }
    var checkup = new Checkup(List.copyOf(checks), List.copyOf(findings), more, uncounted);
    memory.say(checkup);
    if (!reachable && !(deep && offline)) {
      return ExitCodes.UNREACHABLE;
    }
    return checkup.well() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private List<Finding> lookDeep(Path data) throws IOException {
    var deeply =
        new DeepCheckup(
            memory.system().clock(),
            ConfigLoader.load(data, options.sources(memory.environment())).engine(),
            memory.screen());
    if (fix) {
      RunningDaemon.requireNone(data);
      DataRecovery.Done done = deeply.fixed();
      done.stores().forEach(this::fixed);
      done.indexes().forEach(name -> check("fix " + name, DeepCheckup.INDEX_DROPPED, true, ""));
    }
    List<DeepCheck.Checked> stores = offline ? deeply.whole() : deeply.files();
    for (DeepCheck.Checked store : stores) {
      String what = offline ? "all files and records are intact" : "all files are intact";
      check(
          "store " + store.store(),
          store.isSound() ? what : Format.count(store.findings().size(), "finding"),
          store.isSound(),
          (offline ? "" : "stop the daemon, then: ") + "memory doctor --deep --fix");
      store.notes().forEach(note -> check("note", note, true, ""));
    }
    return stores.stream().flatMap(store -> shown(store.findings()).stream()).toList();
  }

  private List<Finding> shown(List<Finding> found) {
    List<Finding> first = found.stream().limit(SHOWN).toList();
    more += found.size() - first.size();
    uncounted |= found.size() >= DeepCheck.MOST_FINDINGS;
    return first;
  }

  private void fixed(DataRecovery.Store store) {
    boolean whole = store.report().map(RecoveryReport::isWhole).orElse(false);
    String found =
        store
            .error()
            .or(() ->
                store
                    .report()
                    .map(report ->
                        whole
                            ? "replaced, with " + Format.count(report.events(), "event")
                            : "not replaced: some records cannot be read and would be lost"))
            .orElse("");
    check("fix " + store.name(), found, whole, "list what is missing: memory recover");
  }

  private List<Finding> examine(Path data) throws IOException {
    check("versions", Version.current() + ", Java " + Runtime.version(), true, "");
    directory(data);
    DaemonState state = DaemonState.of(data);
    AgentReports.health(memory, state instanceof RunningDaemon)
        .forEach(each -> check(each.name(), each.found(), each.good(), each.remedy()));
    if (!(state instanceof RunningDaemon running)) {
      return unreachable(state);
    }
    try (MemoryClient client = memory.connect()) {
      boolean serving = client.healthy();
      check("daemon", "pid " + running.pid() + ", port " + running.port(), true, "");
      check("serving", serving ? "yes" : "no", serving, "check " + log(data));
      return daemon(client, data);
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.UNREACHABLE) {
        return unreachable(DaemonState.of(data));
      }
      if (Troubles.isOfStore(e)) {
        check("store", String.valueOf(e.getMessage()), false, "");
        return List.of();
      }
      check("answers", "no: " + e.getMessage(), false, "check " + log(data));
      return List.of();
    }
  }

  private List<Finding> unreachable(DaemonState state) {
    reachable = false;
    if (state instanceof DaemonState.Absent(Path data)) {
      offline = true;
      check("daemon", "not running", deep, "start it: memory start --data " + data);
    } else {
      check("daemon", state.sentence(), false, "");
    }
    return List.of();
  }

  private void directory(Path data) throws IOException {
    if (!Files.isDirectory(data)) {
      check("directory", data + " does not exist yet", true, "");
      return;
    }
    Optional<String> refused = refusal(() -> OwnDirectory.look(data, data.resolve("db")));
    check("directory", refused.orElse(data + " " + mode(data)), refused.isEmpty(), "");
    long free = Files.getFileStore(data).getUsableSpace();
    check(
        "disk",
        Format.bytes(free) + " free",
        free >= LITTLE_SPACE,
        spaceAdvice(StorageConfig.MIN_FREE));
    Path token = data.resolve("token");
    boolean there = Files.isReadable(token);
    boolean closed = there && mode(token).equals("rw-------");
    check(
        "token",
        there ? mode(token) : "none",
        !there || closed,
        "others can read it: chmod 600 " + token);
    refusal(() -> Token.read(data)).ifPresent(why -> check("token", why, false, ""));
    refusal(() -> NamedTokens.read(data)).ifPresent(why -> check("tokens", why, false, ""));
  }

  static String spaceAdvice(Setting<?> minFree) {
    return "free some disk space: events are refused when less than %s (default %s) is free"
        .formatted(minFree.key(), minFree.defaultText());
  }

  /// Why a daemon would not start there.
  private static Optional<String> refusal(Runnable look) {
    try {
      look.run();
      return Optional.empty();
    } catch (MemoryException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String mode(Path file) throws IOException {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (UnsupportedOperationException e) {
      return "";
    }
  }

  private List<Finding> daemon(MemoryClient client, Path data) {
    List<String> troubles = Troubles.of(client);
    troubles.forEach(trouble -> check("workspace", trouble, false, ""));
    DaemonReport report = client.admin().status();
    boolean same = report.version().equals(Version.current());
    check(
        "same version",
        report.version(),
        same,
        "this command has version " + Version.current() + ": `memory stop`, then `memory start`");
    check("contents", TocProgress.of(report).sentence(), true, "");
    SearchReport search = client.search().status();
    check("search", new IndexState(search).sentence(), true, "");
    search.waitsFor().ifPresent(why -> check("search waits", why, true, ""));
    long letters = report.store().deadLetters();
    check(
        "dead letters",
        Long.toString(letters),
        letters == 0,
        "changes that could not be applied are kept; for the reason see the log: "
            + log(data)
            + "; retry them after the cause is fixed: memory jobs run dead_letters");
    if (report.refused().total() > 0) {
      // Those who sent them were told; nothing of this daemon is broken.
      check("refused", StatusReply.refused(report.refused()), true, "");
    }
    // Each says itself what to do.
    Troubles.besides(troubles, report.problems())
        .forEach(problem -> check("problem", problem, false, ""));
    List<Finding> findings = findings(client);
    boolean agree = findings.isEmpty();
    check(
        "store",
        agree
            ? "all records are consistent"
            : Format.count(findings.size(), "record") + " inconsistent",
        agree,
        "back up the data directory before repairing it");
    client.jobs().list().jobs().forEach(job -> job(job, agree, data));
    return shown(findings);
  }

  /// A store that workspaces share is checked for all of them only.
  private List<Finding> findings(MemoryClient client) {
    memory.screen().progress("checking the store, record by record ...");
    try {
      return client.admin().verify(DeepCheck.MOST_FINDINGS);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.INVALID_FIELD) {
        throw e;
      }
      check("whole store", "not checked: " + e.getMessage(), true, "");
      return List.of();
    } finally {
      memory.screen().progress("");
    }
  }

  /// A job is worth a line when it has failed, or has found something. What was found may have been
  /// repaired since.
  private void job(JobStatus job, boolean agree, Path data) {
    String error = job.lastError().orElse("");
    if (job.lastOutcome() == JobStatus.Outcome.FAILED && !isTold(error)) {
      check("job", job.name() + ": " + error, false, "check " + log(data));
    }
    String findings = job.metadata().getOrDefault("findings", "0");
    if (!findings.equals("0")) {
      String first = job.metadata().getOrDefault("finding_1", "");
      check("job", job.name() + " found " + findings + ", first " + first, agree, "");
    }
  }

  /// Whether a problem of a workspace is that of the job.
  private boolean isTold(String error) {
    return !error.isEmpty()
        && checks.stream().anyMatch(check -> !check.good() && check.found().endsWith(error));
  }

  private static Path log(Path data) {
    return LogPlace.file(data);
  }

  private void check(String name, String found, boolean good, String remedy) {
    checks.add(new Check(name, found, good, good ? Optional.empty() : some(remedy)));
  }

  private static Optional<String> some(String text) {
    return Optional.of(text).filter(any -> !any.isEmpty());
  }

  /// One thing that was looked at.
  ///
  /// @param remedy what to do; empty when it is good, or when there is nothing
  private record Check(String name, String found, boolean good, Optional<String> remedy) {}

  /// @param findings what is wrong with records of the store
  /// @param more how many other findings there are
  /// @param uncounted whether there may be more than these
  private record Checkup(List<Check> checks, List<Finding> findings, long more, boolean uncounted)
      implements Reply {

    boolean well() {
      return checks.stream().allMatch(Check::good);
    }

    @Override
    public void print(Terminal screen) {
      for (Check check : checks) {
        String mark =
            check.good() ? screen.styled(Style.GOOD, "ok  ") : screen.styled(Style.BAD, "BAD ");
        String lead = "    %-14s ".formatted("");
        screen.wrapped(mark + "%-14s ".formatted(check.name()), lead, check.found());
        check.remedy().ifPresent(remedy -> screen.wrapped("    → ", "      ", remedy));
      }
      for (Finding finding : findings) {
        String where = finding.table() + " " + finding.key();
        screen.wrapped("    ", "      ", where + ": " + finding.problem());
      }
      if (more > 0) {
        screen.line("    and " + (uncounted ? "at least " : "") + more + " more");
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("well", well())
          .list(
              "checks",
              checks,
              check ->
                  json.text("name", check.name())
                      .flag("ok", check.good())
                      .text("found", check.found())
                      .text("remedy", check.remedy()))
          .list(
              "findings",
              findings,
              finding ->
                  json.text("table", finding.table())
                      .text("key", finding.key())
                      .text("problem", finding.problem()))
          .number("more_findings", more);
    }
  }
}
