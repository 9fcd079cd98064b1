package dev.agentmemory.bench.hook;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.HttpConnection;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.OpenLoop;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// How long a hook waits that posts what it has to the HTTP server until it is durable. Once a
/// second a session start or a prompt, which is answered with context, is posted beside.
public final class HookHttpBenchmark implements Benchmark {

  private static final String DATA = "posts";
  private static final String WORKSPACE = "default";
  private static final double PER_SECOND = 50;
  private static final int SECONDS = 10;
  private static final int ROUNDS = 6;
  private static final int WARM_UP = 2;
  private static final int CLIENTS = 4;
  private static final int HISTORY = 25;
  private static final double P99 = 0.99;
  private static final double MOST_MILLIS = 20;
  private static final Instant END = Instant.ofEpochMilli(1L << 48);

  @Override
  public String name() {
    return "hook-http";
  }

  @Override
  public String shows() {
    return "a post of a hook, 50 a second, durable, and a GET that does nothing";
  }

  /// The times of all rounds.
  ///
  /// @param asked posts that are answered with context
  private record Times(List<Measured> posts, List<Measured> gets, List<Measured> asked) {}

  @Override
  public Result run(Site site) throws Exception {
    BenchDaemon daemon = site.daemon(DATA);
    Sending.stream(daemon.client(), Talk.sessions(0, HISTORY));
    daemon.awaitToc();
    daemon.awaitIndexed(daemon.client(), (long) HISTORY * Talk.IN_SESSION);
    daemon.awaitEmbedded(daemon.client());
    Times times = measured(site, DaemonHttp.find(site.path(DATA)));
    daemon.kill();
    long lost;
    try (BenchDaemon again = site.daemon(DATA)) {
      lost = expected() - stored(again);
    }
    return result(times, lost);
  }

  private static int expected() {
    return (WARM_UP + ROUNDS) * (posts() + SECONDS) + HISTORY * Talk.IN_SESSION;
  }

  /// Posts of a round.
  private static int posts() {
    return (int) (PER_SECOND * SECONDS);
  }

  private static long stored(BenchDaemon daemon) {
    return Page.stream(
            PageRequest.of(1000),
            page -> daemon.client().events().between(Instant.EPOCH, END, page))
        .count();
  }

  private static Times measured(Site site, DaemonHttp http) throws Exception {
    Path project = site.path("project");
    var times = new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<HookPost> captures = posts(project, HookHttpBenchmark::isCapture, "posted", posts());
    List<HookPost> questions = posts(project, post -> !isCapture(post), "asked", SECONDS);
    try (var connections = new Connections(http);
        var others = Executors.newFixedThreadPool(2)) {
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        int number = round + WARM_UP;
        var gets = CompletableFuture.supplyAsync(() -> gets(connections.getting()), others);
        var asked =
            CompletableFuture.supplyAsync(
                () -> posted(connections.asking(), 1, part(questions, number, SECONDS)), others);
        Measured posted =
            posted(connections.posting(), PER_SECOND, part(captures, number, posts()));
        if (round >= 0) {
          times.posts().add(posted);
          times.gets().add(gets.join());
          times.asked().add(asked.join());
        } else {
          CompletableFuture.allOf(gets, asked).join();
        }
        site.progress("round " + (round + 1) + " of " + ROUNDS);
      }
    }
    return times;
  }

  private static boolean isCapture(HookPost post) {
    return post.event().equals(HookPost.TOOL) || post.event().equals(HookPost.STOP);
  }

  /// Messages of sessions for all rounds.
  private static List<HookPost> posts(
      Path project, Predicate<HookPost> wanted, String name, int perRound) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> HookPost.session(name + "-" + i, HISTORY + i, project))
        .flatMap(List::stream)
        .filter(wanted)
        .limit((long) (WARM_UP + ROUNDS) * perRound)
        .toList();
  }

  private static <T> List<T> part(List<T> all, int round, int perRound) {
    return all.subList(round * perRound, (round + 1) * perRound);
  }

  /// Connections that stay open, for each side its own.
  private record Connections(
      List<HttpConnection> posting, List<HttpConnection> getting, List<HttpConnection> asking)
      implements AutoCloseable {

    Connections(DaemonHttp http) throws IOException {
      this(open(http, CLIENTS), open(http, CLIENTS), open(http, 1));
    }

    private static List<HttpConnection> open(DaemonHttp http, int number) throws IOException {
      List<HttpConnection> open = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        open.add(new HttpConnection(http));
      }
      return open;
    }

    @Override
    public void close() throws IOException {
      for (List<HttpConnection> side : List.of(posting, getting, asking)) {
        for (HttpConnection one : side) {
          one.close();
        }
      }
    }
  }

  private static Measured posted(
      List<HttpConnection> clients, double perSecond, List<HookPost> posts) {
    try {
      return new OpenLoop<>(clients, perSecond).ask(posts, HookHttpBenchmark::post);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void post(HttpConnection client, HookPost post) throws IOException {
    client.send(
        "POST", post.path(), Map.of("memory-variable-MEMORY_WORKSPACE", WORKSPACE), post.bytes());
  }

  private static Measured gets(List<HttpConnection> clients) {
    try {
      return new OpenLoop<>(clients, PER_SECOND)
          .ask(
              Collections.nCopies(posts(), "/version"),
              (client, path) -> client.send("GET", path, Map.of(), new byte[0]));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Result result(Times times, long lost) {
    Measured posts = Measured.all(times.posts());
    List<Result.Row> rows = new ArrayList<>();
    rows.add(new Result.Row("GET, p50", "ms", medians(times.gets())));
    rows.add(new Result.Row("GET, p99", "ms", p99s(times.gets())));
    rows.add(new Result.Row("post, p50", "ms", medians(times.posts())));
    rows.add(new Result.Row("post, p99", "ms", p99s(times.posts())));
    rows.add(
        new Result.Row(
            "post / GET, p50", "ratio", medians(times.posts()).over(medians(times.gets()))));
    rows.add(
        new Result.Row("post / GET, p99", "ratio", p99s(times.posts()).over(p99s(times.gets()))));
    Measured asked = Measured.all(times.asked());
    rows.add(Result.Row.of("answered with context, p50", "ms", asked.median()));
    rows.add(Result.Row.of("answered with context, p99", "ms", asked.percentile(P99)));
    return new Result(
        name(),
        List.of(
            Check.atMost(MOST_MILLIS, "post, p99 of all", posts.percentile(P99), "ms"),
            Check.atMost(0, "answered posts that a killed daemon lost", (double) lost, "posts")),
        rows,
        List.of(
            "%.0f posts and as many GET a second, each from %d connections that stay open, for %d s;"
                    .formatted(PER_SECOND, CLIENTS, ROUNDS * SECONDS)
                + " times are measured from the planned time",
            "tool calls and answers of an assistant; each second one session start or prompt beside,"
                + " answered with context from a store of "
                + HISTORY * Talk.IN_SESSION
                + " events and what was posted before; with embeddings"));
  }

  private static Measured medians(List<Measured> rounds) {
    return new Measured(rounds.stream().map(Measured::median).toList());
  }

  private static Measured p99s(List<Measured> rounds) {
    return new Measured(rounds.stream().map(round -> round.percentile(P99)).toList());
  }
}
