package dev.agentmemory.cli.reply;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobList;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The state of a daemon in a few lines.
///
/// @param capture whether sessions of agents are recorded
public record StatusReply(
    Path data,
    RunningDaemon daemon,
    boolean serving,
    DaemonReport report,
    SearchReport search,
    JobList jobs,
    String capture,
    Instant now)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.row("daemon", serving ? "serving" : "not serving", serving ? Style.GOOD : Style.BAD);
    String up = Format.time(Duration.between(report.startedAt(), now));
    screen.row(
        "process",
        "pid %d, %s:%d, version %s, up %s"
            .formatted(daemon.pid(), daemon.host(), daemon.port(), report.version(), up));
    if (daemon.httpPort() > 0) {
      screen.row("http", "http://127.0.0.1:" + daemon.httpPort());
    }
    screen.row("data", data + ", " + Format.bytes(report.store().diskBytes()));
    String zone = new Times(report.zone()).zoneName();
    screen.row("events", "%,d, days in %s".formatted(report.store().events(), zone));
    screen.row("capture", capture, capture.equals("on") ? Style.PLAIN : Style.KEY);
    GatewayRows.print(screen, report.gateway());
    screen.row("contents", TocProgress.of(report).sentence());
    report.waitsFor().ifPresent(why -> screen.row("work waits for", why));
    screen.row("summaries", summaries(report.summarizer()));
    report.summarizer().waitsFor().ifPresent(why -> screen.row("summaries wait", why, Style.BAD));
    screen.row("search", new IndexState(search).sentence());
    search.waitsFor().ifPresent(why -> screen.row("search waits", why));
    screen.row(
        "dead letters", deadLetters(), report.store().deadLetters() == 0 ? Style.PLAIN : Style.BAD);
    if (report.refused().total() > 0) {
      screen.row("refused", refused(report.refused()));
    }
    report.problems().forEach(problem -> screen.row("problem", problem, Style.BAD));
    new JobsReply(jobs, now).print(screen);
  }

  /// Who writes the summaries, what that has cost today, and whether any are pending.
  private static String summaries(SummarizerReport summarizer) {
    String cost = summarizer.spending().map(spending -> ", " + spent(spending)).orElse("");
    return summarizer.name()
        + cost
        + (summarizer.nodesWait() ? ", some waiting for the model" : "");
  }

  private static String spent(SummarizerReport.Spending spending) {
    return spending.dailyBudget() == 0
        ? Format.count(spending.tokensToday(), "token") + " today"
        : String.format(
            Locale.ROOT, "%,d of %,d tokens today", spending.tokensToday(), spending.dailyBudget());
  }

  private String deadLetters() {
    long letters = report.store().deadLetters();
    return letters == 0
        ? "none"
        : Format.count(letters, "change")
            + " could not be applied; `memory doctor` names the log file, `memory jobs run"
            + " dead_letters` retries them";
  }

  /// How many events were refused and why, with the last one.
  public static String refused(RefusalReport refused) {
    String reasons =
        new TreeMap<>(refused.byReason())
            .entrySet().stream()
                .map(reason -> "%,d %s".formatted(reason.getValue(), reason.getKey()))
                .collect(Collectors.joining(", "));
    return Format.count(refused.total(), "event")
        + " since the start ("
        + reasons
        + ")"
        + refused.last().map(last -> "; the last: " + last).orElse("");
  }

  @Override
  public void write(JsonWriter json) {
    var progress = TocProgress.of(report);
    json.flag("running", true)
        .flag("serving", serving)
        .number("pid", daemon.pid())
        .text("host", daemon.host())
        .number("port", daemon.port())
        .number("http_port", daemon.httpPort())
        .text("version", report.version())
        .time("started_at_ms", report.startedAt())
        .text("data", data.toString())
        .number("disk_bytes", report.store().diskBytes())
        .number("events", report.store().events())
        .text("zone", report.zone().getId())
        .text("capture", capture)
        .flag("toc_complete", progress.complete())
        .number("events_behind", progress.behind())
        .number("dirty_nodes", progress.dirtyNodes())
        .text("waits_for", report.waitsFor())
        .number("dead_letters", report.store().deadLetters())
        .number("unsupported_bullets", report.unsupportedBullets())
        .texts("problems", report.problems())
        .number("refused_events", report.refused().total())
        .object(
            "refused_by_reason",
            () -> new TreeMap<>(report.refused().byReason()).forEach(json::number))
        .text("last_refusal", report.refused().last());
    GatewayRows.write(json, report.gateway());
    SummarizerReport summarizer = report.summarizer();
    json.text("summarizer", summarizer.name())
        .number(
            "model_tokens_today", summarizer.spending().map(SummarizerReport.Spending::tokensToday))
        .number(
            "daily_token_budget", summarizer.spending().map(SummarizerReport.Spending::dailyBudget))
        .flag("summaries_wait", summarizer.nodesWait())
        .text("summaries_wait_for", summarizer.waitsFor());
    json.object("search", () -> new IndexState(search).write(json));
    new JobsReply(jobs, now).write(json);
  }

  /// The output when the store of the workspace cannot be used.
  ///
  /// @param problems that of the workspace, then those of others
  public record Broken(Path data, RunningDaemon daemon, boolean serving, List<String> problems)
      implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.row("daemon", serving ? "serving" : "not serving", serving ? Style.GOOD : Style.BAD);
      screen.row(
          "process",
          "pid %d, %s:%d, version %s"
              .formatted(daemon.pid(), daemon.host(), daemon.port(), daemon.version()));
      screen.row("data", data.toString());
      problems.forEach(problem -> screen.row("problem", problem, Style.BAD));
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("running", true)
          .flag("serving", serving)
          .number("pid", daemon.pid())
          .text("host", daemon.host())
          .number("port", daemon.port())
          .number("http_port", daemon.httpPort())
          .text("version", daemon.version())
          .text("data", data.toString())
          .texts("problems", problems);
    }
  }

  /// The output when no daemon answers.
  public record Down(Path data, DaemonState state) implements Reply {

    @Override
    public void print(Terminal screen) {
      String what =
          state instanceof DaemonState.Absent ? "not running; data " + data : state.sentence();
      screen.row("daemon", what);
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("running", false)
          .text("data", data.toString())
          .text("state", name())
          .number("pid", state.holder().stream().boxed().findFirst())
          .text("problem", state.sentence());
    }

    private String name() {
      return switch (state) {
        case DaemonState.Absent _ -> "absent";
        case DaemonState.Unannounced _ -> "unannounced";
        case RunningDaemon _ -> "silent";
      };
    }
  }
}
