package dev.agentmemory.daemon.command;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Masks secrets in what is stored already.
@Command(
    name = "scrub",
    description = {
      "Masks secrets in what is stored already, by the rules that the daemon has now.",
      "Run it after you added a rule and restarted the daemon. It masks events, the table of"
          + " contents, memories and scratchpads of all workspaces, or of those given with"
          + " --workspace, rebuilds the search index and compacts the stores. Backups are not"
          + " changed."
    },
    mixinStandardHelpOptions = true)
final class ScrubCommand implements Callable<Integer> {

  private static final String WORKSPACE = "memory-workspace";

  private static final ScrubReport NOTHING = new ScrubReport(0, 0, 0, 0, 0, List.of());

  /// What workspaces have that share a store.
  private static final String SHARED = "all workspaces";

  private final MemoryCommand memory;

  @Option(names = "--dry-run", description = "Only count what would be masked. Nothing is written.")
  private boolean dryRun;

  /// What was done in a workspace.
  ///
  /// @param failure why nothing was; empty unless it failed
  private record Scrubbed(String workspace, ScrubReport report, Optional<String> failure) {}

  ScrubCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    List<WorkspaceName> named = memory.namedWorkspaces();
    List<Scrubbed> done;
    try {
      done = named.isEmpty() ? scrubAll() : named.stream().map(this::scrub).toList();
    } finally {
      memory.screen().progress("");
    }
    memory.say(new ScrubReply(dryRun, done));
    boolean failed = done.stream().anyMatch(one -> one.failure().isPresent());
    return failed ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private List<Scrubbed> scrubAll() {
    List<WorkspaceName> names = workspaces();
    try {
      return names.stream().map(this::scrub).toList();
    } catch (MemoryException e) {
      if (!isOfTheWhole(e)) {
        throw e;
      }
      // They share a store, which can only be scrubbed as a whole.
      return List.of(scrub(SHARED, Optional.empty()));
    }
  }

  private static boolean isOfTheWhole(MemoryException e) {
    return e.field().equals(Optional.of(WORKSPACE));
  }

  private List<WorkspaceName> workspaces() {
    try (MemoryClient client = memory.connectForAll()) {
      return Page.stream(PageRequest.first(), client.workspaces()::list)
          .map(WorkspaceReport::name)
          .toList();
    }
  }

  private Scrubbed scrub(WorkspaceName name) {
    return scrub(name.value(), Optional.of(name));
  }

  /// A workspace that cannot be scrubbed does not keep the others from it.
  private Scrubbed scrub(String shown, Optional<WorkspaceName> name) {
    memory.screen().progress(shown + ": " + (dryRun ? "reading ..." : "masking secrets ..."));
    try (MemoryClient client = memory.connect(name)) {
      return new Scrubbed(shown, client.admin().scrub(dryRun), Optional.empty());
    } catch (MemoryException e) {
      if (isOfTheWhole(e) || e.code() == ErrorCode.UNREACHABLE) {
        throw e;
      }
      return new Scrubbed(shown, NOTHING, Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /// What was masked, by workspace and kind of secret.
  private record ScrubReply(boolean dryRun, List<Scrubbed> all) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (all.isEmpty()) {
        screen.line("there is no workspace");
      }
      for (Scrubbed one : all) {
        one.failure()
            .ifPresentOrElse(
                why -> screen.row(one.workspace(), "failed: " + why, Terminal.Style.BAD),
                () -> screen.row(one.workspace(), sentence(one.report())));
        for (ScrubReport.Kind kind : one.report().kinds()) {
          screen.row(
              "",
              kind.name()
                  + ": "
                  + counts(kind.events(), kind.digests(), kind.memories(), kind.records()));
        }
        if (one.report().sessionsLeft() > 0) {
          screen.row(
              "",
              Format.count(one.report().sessionsLeft(), "session")
                  + " with a secret in the id, which is not changed",
              Terminal.Style.BAD);
        }
      }
      if (!all.stream().allMatch(one -> one.report().isEmpty())) {
        screen.line(
            dryRun
                ? "Nothing was written. Run `memory scrub` to mask them."
                : "Backups were not changed: those made before still contain the secrets.");
      }
    }

    private String sentence(ScrubReport report) {
      if (report.isEmpty()) {
        return "nothing to mask";
      }
      return counts(report.events(), report.digests(), report.memories(), report.records())
          + (dryRun ? " would be masked" : " masked");
    }

    private static String counts(long events, long digests, long memories, long records) {
      return Stream.of(
              counted(events, "event"),
              counted(digests, "digest"),
              memories == 0 ? "" : memories == 1 ? "1 memory" : "%,d memories".formatted(memories),
              counted(records, "record"))
          .filter(count -> !count.isEmpty())
          .collect(Collectors.joining(", "));
    }

    private static String counted(long count, String thing) {
      return count == 0 ? "" : Format.count(count, thing);
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("dry_run", dryRun)
          .list(
              "workspaces",
              all,
              one -> {
                ScrubReport report = one.report();
                json.text("workspace", one.workspace())
                    .text("error", one.failure())
                    .number("events", report.events())
                    .number("digests", report.digests())
                    .number("memories", report.memories())
                    .number("records", report.records())
                    .number("sessions_left", report.sessionsLeft())
                    .list(
                        "kinds",
                        report.kinds(),
                        kind ->
                            json.text("kind", kind.name())
                                .number("events", kind.events())
                                .number("digests", kind.digests())
                                .number("memories", kind.memories())
                                .number("records", kind.records()));
              });
    }
  }
}
