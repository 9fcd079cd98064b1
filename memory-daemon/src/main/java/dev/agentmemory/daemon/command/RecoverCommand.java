package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.offline.DataRecovery;
import dev.agentmemory.rocksdb.RecoveryReport;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Saves what can be read of damaged stores. Needs no daemon, and none may run.
@Command(
    name = "recover",
    description = {
      "Copies all readable records of the stores in a data directory into new stores.",
      "Without --to, only damaged stores are replaced; the originals are kept in the directory"
          + " `damaged`."
    },
    footer = {
      "",
      "Exit codes: 0 all known events and memories were recovered; 1 some are missing and were"
          + " listed."
    },
    mixinStandardHelpOptions = true)
final class RecoverCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      description = "Data directory to read (default: that of --data).")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "New data directory to write; DIR is not changed.")
  private Optional<Path> target = Optional.empty();

  @Option(
      names = "--accept-loss",
      description =
          "Keep the new stores even if acknowledged events or memories are missing in them.")
  private boolean acceptLoss;

  @Mixin private SettingOptions options = new SettingOptions();

  RecoverCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Path data = directory.orElseGet(memory::data).toAbsolutePath().normalize();
    EngineConfig config = ConfigLoader.load(data, options.sources(memory.environment())).engine();
    RunningDaemon.requireNone(data);
    LibraryAdvice.silence();
    var recovery =
        new DataRecovery(memory.system().clock(), config, acceptLoss, memory.screen()::progress);
    DataRecovery.Done recovered =
        target.isPresent()
            ? recovery.into(outside(data, target.get().toAbsolutePath().normalize()))
            : recovery.inPlace();
    if (recovered.stores().isEmpty() && target.isPresent()) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no store in " + data);
    }
    var done = new Done(recovered, acceptLoss);
    memory.say(done);
    return done.whole() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static Path outside(Path data, Path to) {
    if (to.startsWith(data)) {
      throw MemoryException.invalid(
          "--to",
          "%s is inside %s, which must not be changed; give a directory outside of it"
              .formatted(to, data));
    }
    return to;
  }

  /// What became of each store.
  private record Done(DataRecovery.Done done, boolean acceptLoss) implements Reply {

    boolean whole() {
      return done.stores().stream()
          .allMatch(store -> store.report().map(RecoveryReport::isWhole).orElse(false));
    }

    @Override
    public void print(Terminal screen) {
      if (done.stores().isEmpty() && done.indexes().isEmpty()) {
        screen.line("all stores are intact; nothing to recover");
      }
      done.stores().forEach(store -> print(store, screen));
      done.indexes().forEach(name -> screen.wrapped(name + ": ", "  ", DeepCheckup.INDEX_DROPPED));
    }

    private void print(DataRecovery.Store store, Terminal screen) {
      store
          .error()
          .ifPresent(error -> screen.wrapped(store.name() + ": ", "  ", "not recovered: " + error));
      if (store.report().isEmpty()) {
        return;
      }
      RecoveryReport report = store.report().get();
      screen.wrapped(store.name() + ": ", "  ", sentence(report));
      report.sessions().forEach(loss -> screen.wrapped("  ", "    ", sentence(loss)));
      if (report.more().sessions() > 0) {
        screen.wrapped("  ", "    ", "and %d more sessions".formatted(report.more().sessions()));
      }
      report
          .sequences()
          .forEach(range ->
              screen.wrapped(
                  "  ",
                  "    ",
                  "entries %d to %d of the log are missing".formatted(range.from(), range.to())));
      if (report.more().ranges() > 0) {
        screen.wrapped("  ", "    ", "and %d more ranges".formatted(report.more().ranges()));
      }
      losses(report.records()).forEach(loss -> screen.wrapped("  ", "    ", loss));
      report.damaged().forEach(damage -> screen.wrapped("  ", "    ", damage));
      if (!report.isWhole() && !acceptLoss) {
        screen.wrapped("  ", "    ", "nothing was written; add --accept-loss to recover the rest");
      }
    }

    private static String sentence(RecoveryReport report) {
      return Format.count(report.events(), "event")
          + " recovered, "
          + missing(report)
          + memories(report.records())
          + (report.rebuilds() ? "; the table of contents is rebuilt from them" : "")
          + (report.headerLost() ? "; zone and key of the store were lost" : "");
    }

    private static String missing(RecoveryReport report) {
      if (report.hasAllEvents()) {
        return "none missing";
      }
      return Math.max(report.missing(), report.missingSequences()) + " missing";
    }

    /// A memory has several rows.
    private static String memories(RecoveryReport.Records records) {
      if (records.restored() == 0 && records.isWhole()) {
        return "";
      }
      return "; %s of memories recovered, %s missing"
          .formatted(
              Format.count(records.restored(), "row"),
              records.missing() == 0 ? "none" : Long.toString(records.missing()));
    }

    private static List<String> losses(RecoveryReport.Records records) {
      var losses = new ArrayList<String>();
      if (records.returned() > 0) {
        losses.add(
            "%s of memories may have been deleted before"
                .formatted(Format.count(records.returned(), "recovered row")));
      }
      if (records.uncertain() > 0) {
        losses.add(
            "%s of memories may have had a newer state"
                .formatted(Format.count(records.uncertain(), "recovered row")));
      }
      if (records.missingChanges() > 0) {
        losses.add(
            "the last %s of memories are missing"
                .formatted(Format.count(records.missingChanges(), "change")));
      }
      return losses;
    }

    private static String sentence(RecoveryReport.Loss loss) {
      String when =
          loss.first().isPresent() && loss.last().isPresent()
              ? " from " + loss.first().get() + " to " + loss.last().get()
              : "";
      return "session %s is missing %s%s"
          .formatted(loss.session(), Format.count(loss.events(), "event"), when);
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("whole", whole())
          .list(
              "stores",
              done.stores(),
              store -> {
                json.text("name", store.name()).text("error", store.error());
                store.report().ifPresent(report -> write(report, json));
              })
          .list("dropped_indexes", done.indexes(), name -> json.text("name", name));
    }

    private static void write(RecoveryReport report, JsonWriter json) {
      json.number("events", report.events())
          .number("missing", report.missing())
          .flag("contents_rebuilt", report.rebuilds())
          .list(
              "sessions",
              report.sessions(),
              loss ->
                  json.text("session", loss.session().value())
                      .number("events", loss.events())
                      .text("first", loss.first().map(Object::toString))
                      .text("last", loss.last().map(Object::toString)))
          .number("more_sessions", report.more().sessions())
          .list(
              "sequences",
              report.sequences(),
              range -> json.number("from", range.from()).number("to", range.to()))
          .number("more_sequences", report.more().ranges())
          .number("records", report.records().restored())
          .number("missing_records", report.records().missing())
          .number("returned_records", report.records().returned())
          .number("uncertain_records", report.records().uncertain())
          .number("missing_record_changes", report.records().missingChanges())
          .list("damaged", report.damaged(), damage -> json.text("what", damage));
    }
  }
}
