package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.TestCertificate;
import dev.agentmemory.types.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the proof of a token costs an ingest: over the Unix socket, over TCP that begins with a
/// handshake, and over TLS, each compared with TCP in plain text without a token.
public final class AuthCostBenchmark implements Benchmark {

  private static final int ROUNDS = 15;
  private static final int WARM_UP = 4;
  private static final int EVENTS = 20_000;

  /// How events come.
  private enum Way {
    OPEN_TCP("plain TCP without a token", 1),
    SOCKET("Unix socket", 0.95),
    HANDSHAKE("TCP with the handshake", 0.9),
    TLS("TLS", 0.75);

    private final String label;

    /// Least rate, as a part of that of [#OPEN_TCP].
    private final double bar;

    Way(String label, double bar) {
      this.label = label;
      this.bar = bar;
    }
  }

  @Override
  public String name() {
    return "auth-cost";
  }

  @Override
  public String shows() {
    return "ingest rate with the proof of a token, compared with plain TCP without one";
  }

  /// Events per second of a way, round by round.
  private record Rates(Way way, MemoryClient client, List<Double> perRound)
      implements AutoCloseable {

    Rates(Way way, MemoryClient client) {
      this(way, client, new ArrayList<>());
    }

    Measured measured() {
      return new Measured(perRound);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Override
  public Result run(Site site) throws Exception {
    TestCertificate certificate =
        TestCertificate.in(Files.createDirectory(site.path("certificate")));
    BenchDaemon open = site.daemon("open", Site.WITHOUT_EMBEDDINGS, "auth.loopback=open");
    BenchDaemon guarded =
        site.daemon("guarded", Site.WITHOUT_EMBEDDINGS, "auth.bearer_over_tcp=refused");
    BenchDaemon tls =
        site.daemon(
            "tls",
            Site.WITHOUT_EMBEDDINGS,
            "grpc.tls_certificate=" + certificate.certificate(),
            "grpc.tls_key=" + certificate.key());
    for (BenchDaemon daemon : List.of(open, guarded, tls)) {
      // Else they work on the events of one way while another is measured.
      Workers.pause(daemon.client());
    }
    Endpoint overTls = overTcp(site.path("tls"), /* token= */ true);
    try (var plain =
            new Rates(
                Way.OPEN_TCP,
                MemoryClient.connect(overTcp(site.path("open"), /* token= */ false)));
        var socket = new Rates(Way.SOCKET, guarded.another());
        var handshake =
            new Rates(
                Way.HANDSHAKE,
                MemoryClient.connect(overTcp(site.path("guarded"), /* token= */ true)));
        var encrypted =
            new Rates(Way.TLS, MemoryClient.connect(overTls.withTls(certificate.certificate())))) {
      measure(List.of(plain, socket, handshake, encrypted));
      return result(plain, List.of(socket, handshake, encrypted));
    }
  }

  private static Endpoint overTcp(Path data, boolean token) {
    Endpoint found = Endpoint.find(data);
    return new Endpoint(found.host(), found.port(), token ? found.token() : Optional.empty());
  }

  private static void measure(List<Rates> ways) {
    int sent = 0;
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      for (int i = 0; i < ways.size(); i++) {
        // No way is always measured after the same one.
        Rates way = ways.get((i + round + WARM_UP) % ways.size());
        List<Event> events = WorkDay.events(sent, EVENTS);
        sent += EVENTS;
        Clock clock = Clock.start();
        Sending.stream(way.client(), events);
        double seconds = clock.seconds();
        if (round >= 0) {
          way.perRound().add(EVENTS / seconds);
        }
      }
    }
  }

  private Result result(Rates plain, List<Rates> others) {
    List<Check> checks = new ArrayList<>();
    List<Result.Row> rows = new ArrayList<>();
    rows.add(new Result.Row(plain.way().label, "events/s", plain.measured()));
    for (Rates other : others) {
      String label = other.way().label + " / " + plain.way().label;
      Measured ratio = other.measured().over(plain.measured());
      checks.add(Check.atLeast(other.way().bar, label, ratio.median(), "ratio"));
      rows.add(new Result.Row(other.way().label, "events/s", other.measured()));
      rows.add(new Result.Row(label, "ratio", ratio));
    }
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            EVENTS
                + " events of "
                + WorkDay.EVENT_BYTES
                + " bytes per round over one stream, workers paused, three daemons"));
  }
}
