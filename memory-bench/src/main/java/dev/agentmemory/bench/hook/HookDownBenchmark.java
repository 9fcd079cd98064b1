package dev.agentmemory.bench.hook;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is lost or doubled when agents work while the daemon is down.
public final class HookDownBenchmark implements Benchmark {

  private static final int HOOKS = 10_000;
  private static final int AT_ONCE = 64;
  private static final int SESSIONS = 50;
  private static final int SMALLEST = 1;
  private static final int LARGEST = 1 << 20;
  private static final long SEED = 20_261_125;
  private static final Instant END = Instant.ofEpochMilli(1L << 48);
  private static final Pattern NUMBER = Pattern.compile("hook-(\\d+)-(\\d+)-[x ]*end");

  @Override
  public String name() {
    return "hook-down";
  }

  @Override
  public String shows() {
    return "hooks while the daemon is down, a third killed in the middle: lost, doubled, torn";
  }

  @Override
  public Result run(Site site) throws Exception {
    Path data = site.path("down");
    var hook = new HookProcess(Path.of(site.launcher()), data);
    send(site, hook);
    long spooled = hook.waiting();
    site.progress(spooled + " spooled");
    try (BenchDaemon daemon = site.daemon("down", Site.WITHOUT_EMBEDDINGS)) {
      daemon.awaitUntil("an empty spool", () -> hook.waiting() == 0);
      return result(count(daemon), spooled);
    }
  }

  private static boolean isKilled(int number) {
    return number % 3 == 2;
  }

  private static void send(Site site, HookProcess hook) throws Exception {
    var random = new Random(SEED);
    try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < HOOKS; i++) {
        int number = i;
        int size = size(random);
        Path project = site.path("project");
        sent.add(
            pool.submit(() ->
                hook.send(
                    HookPost.prompt(
                        "down-" + number % SESSIONS, "p" + number, text(number, size), project),
                    isKilled(number))));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /// As many small ones as large ones, by order of magnitude.
  private static int size(Random random) {
    double power = random.nextDouble() * Math.log((double) LARGEST / SMALLEST);
    return (int) (SMALLEST * Math.exp(power));
  }

  /// A payload of about that size.
  private static String text(int number, int size) {
    int rest = Math.max(0, size - 256);
    return "hook-" + number + "-" + rest + "-" + "xxxx xxx ".repeat(rest / 9) + "end";
  }

  /// What is in the store.
  private static Map<Integer, Integer> count(BenchDaemon daemon) {
    Map<Integer, Integer> found = new HashMap<>();
    for (WorkspaceReport workspace :
        Page.stream(PageRequest.of(1000), daemon.client().workspaces()::list).toList()) {
      try (MemoryClient client = daemon.client(workspace.name().value())) {
        Page.stream(PageRequest.of(100), page -> client.events().between(Instant.EPOCH, END, page))
            .forEach(event -> found.merge(number(event), 1, Integer::sum));
      }
    }
    return found;
  }

  /// Which hook an event is of; -1 for one whose text is not whole, -2 for one without it.
  private static int number(Event event) {
    Matcher text = NUMBER.matcher(event.text());
    if (text.matches()) {
      return Integer.parseInt(text.group(1));
    }
    return event.text().contains("hook-") ? -1 : -2;
  }

  private Result result(Map<Integer, Integer> found, long spooled) {
    int lost = 0;
    int doubled = 0;
    int complete = 0;
    for (int i = 0; i < HOOKS; i++) {
      int times = found.getOrDefault(i, 0);
      complete += isKilled(i) ? 0 : 1;
      lost += !isKilled(i) && times == 0 ? 1 : 0;
      doubled += times > 1 ? 1 : 0;
    }
    return new Result(
        name(),
        List.of(
            Check.atMost(0, "complete hooks that are lost", lost, "hooks"),
            Check.atMost(0, "hooks that are stored twice", doubled, "hooks"),
            Check.atMost(0, "torn hooks that are stored", found.getOrDefault(-1, 0), "hooks")),
        List.of(
            Result.Row.of("hooks", "hooks", HOOKS),
            Result.Row.of("not killed", "hooks", complete),
            Result.Row.of("spooled", "hooks", (double) spooled)),
        List.of(
            AT_ONCE
                + " at a time, payloads of up to 1 MiB; a third is killed when half of its"
                + " payload is written, some of them after they had ended"));
  }
}
