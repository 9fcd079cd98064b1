package dev.agentmemory.bench.soak;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.HttpConnection;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Half an hour of events, searches, hooks and jobs, with restarts in its first third: memory,
/// handles, threads and lag at the end against those after the warm-up, and what is stored.
public final class SoakBenchmark implements Benchmark {

  private static final String DATA = "soak";
  private static final int MINUTES = Integer.getInteger("minutes", 30);
  private static final int EVENTS_A_SECOND = 300;
  private static final int JOB_SECONDS = 30;
  private static final List<String> JOBS =
      List.of("segment_flush", "toc_rollup_day", "outbox_trim");

  /// Restarts, as parts of the time; the second one kills the daemon.
  private static final double STOPPED = 0.12;

  private static final double KILLED = 0.24;

  /// Samples are compared between the first and the last tenth of the time after this part.
  private static final double WARM_UP = 0.4;

  private static final double PART = 0.1;
  private static final double MOST_GROWTH = 1.10;

  /// A sample of the daemon's process.
  ///
  /// @param memory anonymous memory in MiB
  /// @param handles open files but for tables
  /// @param tables open files with rows: there are more of them the more is stored
  /// @param lag entries of the outbox that the slowest worker has yet to process
  private record Sample(double memory, double handles, double tables, double threads, double lag) {}

  @Override
  public String name() {
    return DATA;
  }

  @Override
  public String shows() {
    return "half an hour of work with restarts: growth of memory, lost and doubled events";
  }

  @Override
  public Result run(Site site) throws Exception {
    var load = new SoakLoad();
    List<Sample> samples = new ArrayList<>();
    int seconds = MINUTES * 60;
    BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS);
    var hooks = new HttpConnection(DaemonHttp.find(site.path(DATA)));
    Clock clock = Clock.start();
    // What restarts took is not made up for.
    double restarts = 0;
    for (int second = 0; second < seconds; second++) {
      load.send(daemon.client(), EVENTS_A_SECOND);
      if (second == (int) (STOPPED * seconds) || second == (int) (KILLED * seconds)) {
        hooks.close();
        if (second == (int) (KILLED * seconds)) {
          daemon.kill();
        } else {
          daemon.close();
        }
        daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS);
        hooks = new HttpConnection(DaemonHttp.find(site.path(DATA)));
        restarts = clock.seconds() - second;
      }
      work(daemon.client(), hooks, second);
      if (second >= WARM_UP * seconds) {
        samples.add(sample(daemon));
      }
      if (second % 60 == 0) {
        site.progress("minute %d of %d, %s".formatted(second / 60, MINUTES, sample(daemon)));
      }
      double ahead = second + 1 + restarts - clock.seconds();
      if (ahead > 0) {
        Thread.sleep((long) (ahead * 1000));
      }
    }
    load.send(daemon.client(), 0);
    BenchDaemon last = daemon;
    daemon.awaitUntil("all answers", () -> load.acknowledged() >= load.sent());
    daemon.awaitToc();
    daemon.awaitIndexed();
    hooks.close();
    return result(load, last.client().admin().status().store().events(), samples);
  }

  /// Searches, a hook and, at times, jobs.
  private static void work(MemoryClient client, HttpConnection hooks, int second)
      throws IOException {
    String text = Talk.session(second % 1000).getFirst().text();
    var _ =
        client
            .search()
            .search(
                SearchRequest.of(
                    text.substring(0, Math.min(40, text.length())), 10, Instant.now()));
    var _ = client.sessions().list(PageRequest.first());
    var _ =
        hooks.send(
            "POST",
            "/hooks/claude-code/Stop",
            Map.of(),
            "{\"session_id\":\"soak\",\"cwd\":\"/nowhere\",\"prompt_id\":\"p%d\",\"last_assistant_message\":\"Done %d.\"}"
                .formatted(second, second)
                .getBytes(StandardCharsets.UTF_8));
    if (second % JOB_SECONDS == 0) {
      JOBS.forEach(job -> client.jobs().run(job));
    }
  }

  private static Sample sample(BenchDaemon daemon) throws IOException {
    Path process = Path.of("/proc", String.valueOf(daemon.pid()));
    DaemonReport report = daemon.client().admin().status();
    long behind =
        report.consumers().values().stream()
            .mapToLong(cursor -> report.store().outboxHead() - cursor)
            .max()
            .orElse(0);
    List<String> open = open(process.resolve("fd"));
    long tables = open.stream().filter(file -> file.endsWith(".sst")).count();
    return new Sample(
        daemon.anonymousMiB(),
        open.size() - tables,
        tables,
        count(process.resolve("task")),
        behind);
  }

  private static List<String> open(Path folder) throws IOException {
    try (Stream<Path> handles = Files.list(folder)) {
      return handles.map(SoakBenchmark::target).toList();
    }
  }

  /// What a handle is of; nothing when it was closed meanwhile.
  private static String target(Path handle) {
    try {
      return Files.readSymbolicLink(handle).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    }
  }

  private Result result(SoakLoad load, long stored, List<Sample> samples) {
    List<Check> checks = new ArrayList<>();
    List<Result.Row> rows = new ArrayList<>();
    growth("memory", "MiB", samples.stream().map(Sample::memory).toList(), checks, rows);
    checks.add(
        Check.atMost(
            0,
            "difference between the events stored and sent",
            (double) Math.abs(stored - load.sent()),
            "events"));
    checks.add(Check.atMost(0, "events refused", (double) load.refused(), "events"));
    growth(
        "handles but for tables",
        "files",
        samples.stream().map(Sample::handles).toList(),
        checks,
        rows);
    growth("threads", "threads", samples.stream().map(Sample::threads).toList(), checks, rows);
    rows.add(
        new Result.Row(
            "open tables", "files", new Measured(samples.stream().map(Sample::tables).toList())));
    rows.add(
        new Result.Row(
            "entries that wait for a worker",
            "entries",
            new Measured(samples.stream().map(Sample::lag).toList())));
    rows.add(Result.Row.of("events sent", "events", (double) load.sent()));
    rows.add(Result.Row.of("events sent again", "events", (double) load.repeated()));
    List<String> notes = new ArrayList<>();
    notes.add(
        "%d events a second, two reads and a hook a second, jobs each %d s; stopped and killed in the first third; without embeddings"
            .formatted(EVENTS_A_SECOND, JOB_SECONDS));
    notes.add("tables: files of the stores with rows, which grow in number with what is stored");
    notes.add(
        "growth: median of the last tenth over that of the first tenth, after 40 % of the time");
    if (MINUTES < 30) {
      notes.add("SHORTENED to %d minutes by -Dminutes; the bars are for 30".formatted(MINUTES));
    }
    return new Result(name(), checks, rows, notes);
  }

  private static void growth(
      String what, String unit, List<Double> values, List<Check> checks, List<Result.Row> rows) {
    int part = Math.max(1, (int) (values.size() * PART));
    var first = new Measured(values.subList(0, part));
    var last = new Measured(values.subList(values.size() - part, values.size()));
    rows.add(new Result.Row(what + ", first tenth", unit, first));
    rows.add(new Result.Row(what + ", last tenth", unit, last));
    checks.add(
        Check.atMost(
            MOST_GROWTH,
            what + " at the end / after the warm-up",
            last.median() / first.median(),
            "ratio"));
  }
}
