package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// How long one caller waits for one durable event, compared with the minimum: a call and a sync of
/// the disk.
public final class LatencyBenchmark implements Comparison.Possible {

  private static final int ROUNDS = 15;
  private static final int WARM_UP = 5;
  private static final int WARM_UP_AT_ONCE = 64;
  private static final int WARM_UP_CALLS = 40_000;
  private static final int WARM_UP_LONE_CALLS = 20_000;
  private static final int ALL_WARM_UP_CALLS = WARM_UP_CALLS + WARM_UP_LONE_CALLS;
  private static final int CALLS = 200;
  private static final double BAR = 1.5;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String shows() {
    return "p50 of a unary ingest / (p50 of a no-op call + p50 of an fdatasync)";
  }

  @Override
  public Comparison comparison() {
    return new LatencyComparison();
  }

  @Override
  public Result run(Site site) throws IOException {
    var pings = new ArrayList<Double>();
    var syncs = new ArrayList<Double>();
    var ingests = new ArrayList<Double>();
    BenchDaemon daemon = site.daemon("latency", Site.WITHOUT_EMBEDDINGS);
    MemoryClient client = daemon.client();
    warmUp(daemon);
    try (var file =
        FileChannel.open(
            site.path("appended"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int round = 0; round < ROUNDS + WARM_UP; round++) {
        List<Event> events = WorkDay.events(ALL_WARM_UP_CALLS + round * CALLS, CALLS);
        double ping = median(i -> client.ping());
        double sync = median(i -> append(file));
        double ingest = median(i -> client.ingest().append(events.get(i)));
        // Pending work of the workers must not disturb the other two measurements.
        daemon.awaitToc();
        daemon.awaitIndexed();
        if (round >= WARM_UP) {
          pings.add(ping);
          syncs.add(sync);
          ingests.add(ingest);
        }
      }
    }
    return result(new Measured(pings), new Measured(syncs), new Measured(ingests));
  }

  /// Warms up with concurrent calls, which is faster, and then with one call at a time. The latter
  /// takes other branches and is compiled separately, which needs 20,000 calls. These events are
  /// older than the measured ones, because the events of a hook are always the latest.
  private static void warmUp(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    List<Event> events = WorkDay.events(0, ALL_WARM_UP_CALLS);
    Sending.inFlight(WARM_UP_AT_ONCE, WARM_UP_CALLS, i -> client.pingAsync());
    Sending.inFlight(
        WARM_UP_AT_ONCE, WARM_UP_CALLS, i -> client.ingest().appendAsync(events.get(i)));
    daemon.awaitToc();
    daemon.awaitIndexed();
    for (Event event : events.subList(WARM_UP_CALLS, ALL_WARM_UP_CALLS)) {
      client.ping();
      client.ingest().append(event);
    }
    daemon.awaitToc();
    daemon.awaitIndexed();
  }

  private Result result(Measured pings, Measured syncs, Measured ingests) {
    Measured ratio = ingests.over(pings.plus(syncs));
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "p50 ingest / (p50 no-op + p50 sync)", ratio.median(), "ratio")),
        List.of(
            new Result.Row("no-op call, p50", "us", pings),
            new Result.Row("append + fdatasync, p50", "us", syncs),
            new Result.Row("unary ingest, p50", "us", ingests),
            new Result.Row("ratio", "ratio", ratio)),
        List.of(
            CALLS
                + " of each per round, one at a time, workers running, without embeddings; an event and an append have "
                + WorkDay.EVENT_BYTES
                + " bytes"));
  }

  private interface Step {
    void run(int number);
  }

  /// The median of durations, in microseconds.
  private static double median(Step step) {
    var times = new ArrayList<Double>(CALLS);
    for (int i = 0; i < CALLS; i++) {
      Clock clock = Clock.start();
      step.run(i);
      times.add(clock.micros());
    }
    return new Measured(times).median();
  }

  private static void append(FileChannel file) {
    try {
      var bytes = ByteBuffer.allocate(WorkDay.EVENT_BYTES);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(/* metaData= */ false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
