package dev.agentmemory.daemon.command;

import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows the audit log: from the daemon, or from the data directory if none runs.
@Command(
    name = "audit",
    description = {
      "Shows who did which administrative act, the newest last. Needs no daemon.",
      "With --workspace, only acts on that workspace. Times are in UTC."
    },
    mixinStandardHelpOptions = true)
final class AuditCommand implements Callable<Integer> {

  /// The zone of the store is known to its daemon only, which need not run.
  private static final Times UTC = new Times(ZoneOffset.UTC);

  private static final int MOST_OF_A_PAGE = 1000;

  private final MemoryCommand memory;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Show at most the last N acts (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only acts of this time or later, such as 2026-01-30 or 7d (ago).")
  private Optional<String> since = Optional.empty();

  AuditCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
    Optional<Instant> from =
        since.map(
            text -> When.parse("--since", text).in(ZoneOffset.UTC, memory.system().now()).start());
    List<WorkspaceName> named = memory.namedWorkspaces();
    if (named.size() > 1) {
      throw MemoryException.invalid(
          "--workspace", "is given more than once, but this command takes one workspace");
    }
    Optional<WorkspaceName> workspace = named.stream().findFirst();
    var query = new AuditQuery(workspace, from, PageRequest.first());
    memory.say(read(query));
    return ExitCodes.OK;
  }

  private AuditReply read(AuditQuery query) {
    if (DaemonState.of(memory.data()) instanceof RunningDaemon) {
      try (MemoryClient client = memory.connect(query.workspace())) {
        return collected(query, client::audit);
      }
    }
    var log = new AuditLog(memory.system().clock(), memory.data());
    return collected(query, log::list);
  }

  /// Pages come the newest first.
  private AuditReply collected(AuditQuery query, Function<AuditQuery, AuditPage> source) {
    var records = new ArrayList<AuditRecord>();
    long unreadable = 0;
    PageRequest page = PageRequest.of(Math.min(limit, MOST_OF_A_PAGE));
    while (true) {
      AuditPage read = source.apply(query.withPage(page));
      records.addAll(read.records().items());
      // Each page is read from the newest line on.
      unreadable = read.unreadableLines();
      if (records.size() >= limit || !read.records().hasNext()) {
        return new AuditReply(records.stream().limit(limit).toList().reversed(), unreadable);
      }
      page = page.after(read.records());
    }
  }

  /// @param records the newest last
  private record AuditReply(List<AuditRecord> records, long unreadable) implements Reply {

    private static final String ROW = "%-19s  %-20s  %-12s  %-12s  %-7s %s";

    @Override
    public void print(Terminal screen) {
      if (records.isEmpty()) {
        screen.line("nothing is recorded");
      } else {
        screen.line(
            ROW.formatted("TIME (UTC)", "ACT", "ACTOR", "WORKSPACE", "OUTCOME", "DETAILS")
                .stripTrailing());
      }
      records.forEach(one -> screen.line(row(screen, one)));
      if (unreadable > 0) {
        screen.error(
            Format.count(unreadable, "line")
                + " of the audit log cannot be read; a crash may have cut it off");
      }
    }

    private static String row(Terminal screen, AuditRecord one) {
      AuditEntry entry = one.entry();
      return screen
          .shown(
              ROW.formatted(
                  UTC.second(one.time()),
                  entry.act(),
                  entry.actor().name(),
                  entry.workspace().map(WorkspaceName::value).orElse("-"),
                  entry.outcome(),
                  details(entry)))
          .stripTrailing();
    }

    private static String details(AuditEntry entry) {
      String details =
          entry.details().entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining(", "));
      String error = entry.error().orElse("");
      return error.isEmpty() || details.isEmpty() ? error + details : error + ", " + details;
    }

    @Override
    public void write(JsonWriter json) {
      json.list(
              "entries",
              records,
              one -> {
                AuditEntry entry = one.entry();
                json.number("number", one.number())
                    .time("time_ms", one.time())
                    .text("act", entry.act().toString())
                    .text("actor", entry.actor().name())
                    .text("role", entry.actor().role().map(Role::toString))
                    .text("workspace", entry.workspace().map(WorkspaceName::value))
                    .text("outcome", entry.outcome().toString())
                    .text("error", entry.error())
                    .pairs("details", entry.details())
                    .text("request_id", entry.requestId());
              })
          .number("unreadable_lines", unreadable);
    }
  }
}
