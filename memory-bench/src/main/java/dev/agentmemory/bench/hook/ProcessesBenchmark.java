package dev.agentmemory.bench.hook;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.mcp.McpClient;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What hooks and MCP sessions leave behind that nobody ends: processes, and memory of the daemon.
public final class ProcessesBenchmark implements Benchmark {

  private static final String DATA = "processes";
  private static final int HOOKS = 1000;
  private static final int SESSIONS = 100;
  private static final int HOOKS_AT_ONCE = 16;
  private static final int SESSIONS_AT_ONCE = 4;

  /// Processes that are about to end get this long.
  private static final int GRACE_SECONDS = 10;

  private static final int MINUTES = 30;
  private static final int HOOKS_A_SECOND = 4;
  private static final int SECONDS_A_BRIDGE = 15;

  /// HTTP sessions that are open at once; the oldest one's connection is then cut.
  private static final int MOST_OPEN = 40;

  /// Memory is compared between the first and the last tenth of the time, after a fifth.
  private static final double WARM_UP = 0.2;

  private static final double PART = 0.1;
  private static final double MOST_GROWTH = 1.10;
  private static final int POLL_MILLIS = 200;

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public String shows() {
    return "processes and memory that are left by hooks and MCP sessions that nobody ends";
  }

  /// Minutes of the second part, after the warm-up.
  private static int minutes() {
    return Integer.getInteger("minutes", MINUTES);
  }

  /// What the second part did.
  ///
  /// @param memory anonymous memory of the daemon at each second after the warm-up, in MiB
  private record Load(List<Double> memory, int hooks, int http, int bridges) {}

  @Override
  public Result run(Site site) throws Exception {
    Path data = site.path(DATA);
    Path launcher = Path.of(site.launcher());
    try (BenchDaemon daemon = site.daemon(DATA)) {
      var processes = new SiteProcesses(data, daemon.pid());
      var hook = new HookProcess(launcher, data);
      DaemonHttp http = DaemonHttp.find(data);
      int most = most(site, hook, http, processes);
      List<String> left = left(processes);
      left.forEach(one -> site.progress("left: " + one));
      Load load = load(site, hook, http, daemon);
      List<String> leftLater = left(processes);
      leftLater.forEach(one -> site.progress("left: " + one));
      return result(most, left.size(), leftLater.size(), load);
    }
  }

  /// Runs all hooks and sessions of the first part.
  ///
  /// @return the most processes that were seen at once
  private static int most(Site site, HookProcess hook, DaemonHttp http, SiteProcesses processes)
      throws Exception {
    List<Callable<Boolean>> hooks = new ArrayList<>();
    for (int i = 0; i < HOOKS; i++) {
      HookPost post = post(site, "left", i);
      hooks.add(() -> {
        hook.send(post, /* killed= */ false);
        return true;
      });
    }
    List<Callable<Boolean>> sessions = new ArrayList<>();
    Deque<McpClient> open = new ArrayDeque<>();
    for (int i = 0; i < SESSIONS; i++) {
      boolean bridge = i % 2 == 0;
      sessions.add(() -> {
        if (bridge) {
          AbandonedSession.bridge(Path.of(site.launcher()), site.path(DATA));
        } else {
          McpClient client = AbandonedSession.http(http);
          synchronized (open) {
            open.add(client);
          }
        }
        return true;
      });
    }
    int most = 0;
    try (ExecutorService ofHooks = Executors.newFixedThreadPool(HOOKS_AT_ONCE);
        ExecutorService ofSessions = Executors.newFixedThreadPool(SESSIONS_AT_ONCE)) {
      List<Future<Boolean>> all = new ArrayList<>();
      hooks.forEach(one -> all.add(ofHooks.submit(one)));
      sessions.forEach(one -> all.add(ofSessions.submit(one)));
      for (int i = 0; i < all.size(); i++) {
        all.get(i).get();
        if (i % HOOKS_AT_ONCE == 0) {
          most = Math.max(most, processes.running().size());
        }
      }
    }
    return most;
  }

  private static HookPost post(Site site, String name, int number) {
    int session = number / HookPost.IN_SESSION;
    return HookPost.session(name + "-" + session, session, site.path("project"))
        .get(number % HookPost.IN_SESSION);
  }

  private static List<String> left(SiteProcesses processes) throws InterruptedException {
    Clock clock = Clock.start();
    List<String> left = processes.running();
    while (!left.isEmpty() && clock.seconds() < GRACE_SECONDS) {
      Thread.sleep(POLL_MILLIS);
      left = processes.running();
    }
    return left;
  }

  private static Load load(Site site, HookProcess hook, DaemonHttp http, BenchDaemon daemon)
      throws IOException, InterruptedException {
    int seconds = minutes() * 60;
    int warmUp = (int) (seconds * WARM_UP);
    List<Double> memory = new ArrayList<>();
    Deque<McpClient> open = new ArrayDeque<>();
    int hooks = 0;
    int bridges = 0;
    Clock clock = Clock.start();
    for (int second = -warmUp; second < seconds; second++) {
      for (int i = 0; i < HOOKS_A_SECOND; i++) {
        hook.send(post(site, "load", hooks++), /* killed= */ false);
      }
      open.add(AbandonedSession.http(http));
      if (open.size() > MOST_OPEN) {
        open.remove().close();
      }
      if (second % SECONDS_A_BRIDGE == 0) {
        AbandonedSession.bridge(Path.of(site.launcher()), site.path(DATA));
        bridges++;
      }
      if (second >= 0) {
        memory.add(daemon.anonymousMiB());
      }
      if (second % 60 == 0) {
        site.progress(
            "minute %d of %d, %.0f MiB".formatted(second / 60, minutes(), daemon.anonymousMiB()));
      }
      double ahead = second + warmUp + 1 - clock.seconds();
      if (ahead > 0) {
        Thread.sleep((long) (ahead * 1000));
      }
    }
    for (McpClient one : open) {
      one.close();
    }
    return new Load(memory, hooks, seconds + warmUp, bridges);
  }

  private Result result(int most, int left, int leftLater, Load load) {
    List<Double> memory = load.memory();
    int part = Math.max(1, (int) (memory.size() * PART));
    var first = new Measured(memory.subList(0, part));
    var last = new Measured(memory.subList(memory.size() - part, memory.size()));
    List<String> notes = new ArrayList<>();
    notes.add(
        "bridges and HTTP sessions in turns; of a bridge the pipes are closed, of an HTTP session"
            + " nothing, or its connection while others follow; the second part: "
            + "%d hooks a second, an HTTP session each second, a bridge each %d s"
                .formatted(HOOKS_A_SECOND, SECONDS_A_BRIDGE));
    notes.add(
        "memory: median of the last tenth over that of the first tenth, after a warm-up of a fifth;"
            + " default settings, embeddings included");
    if (minutes() < MINUTES) {
      notes.add(
          "SHORTENED to %d minutes by -Dminutes; the bar of memory is for %d"
              .formatted(minutes(), MINUTES));
    }
    return new Result(
        name(),
        List.of(
            Check.atMost(0, "processes left by hooks and sessions", left, "processes"),
            Check.atMost(0, "processes left after the second part", leftLater, "processes"),
            Check.atMost(
                MOST_GROWTH,
                "memory at the end / after warm-up",
                last.median() / first.median(),
                "ratio")),
        List.of(
            Result.Row.of("hooks, first part", "hooks", HOOKS),
            Result.Row.of("sessions, first part", "sessions", SESSIONS),
            Result.Row.of("most processes seen at once", "processes", most),
            Result.Row.of("minutes, second part", "min", minutes()),
            Result.Row.of("hooks, second part", "hooks", load.hooks()),
            Result.Row.of("HTTP sessions, second part", "sessions", load.http()),
            Result.Row.of("bridges, second part", "sessions", load.bridges()),
            new Result.Row("memory, first tenth", "MiB", first),
            new Result.Row("memory, last tenth", "MiB", last),
            new Result.Row("memory, all", "MiB", new Measured(memory))),
        notes);
  }
}
