package dev.agentmemory.bench;

import java.util.ArrayList;
import java.util.List;

/// Storing through the stream. Time is waited until the events of a round are acknowledged, the
/// median of the rounds: a compilation or a merge of tables falls into one round or into another.
/// Processor time counts until all events are in the table of contents and in the index.
final class IngestComparison implements Comparison {

  private static final int ROUNDS = 12;
  private static final int ROUND = 5_000;
  private static final int WARM_UP = 60_000;
  private static final String NAME = "ingest";

  private final int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;
  private final int warmUp = Math.min(WARM_UP, ROUNDS * inRound);

  @Override
  public String unit() {
    return "event";
  }

  @Override
  public int rounds() {
    return ROUNDS;
  }

  @Override
  public Run begin(Site site) {
    return new Storing(site);
  }

  private final class Storing implements Run {

    private final Site site;
    private final BenchDaemon daemon;
    private final ProcessorTime processor;
    private final List<Double> waited = new ArrayList<>();

    Storing(Site site) {
      this.site = site;
      this.daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS);
      var _ = send(0, warmUp);
      this.processor = ProcessorTime.since(daemon.pid());
    }

    @Override
    public void round(int number) {
      waited.add(send(warmUp + number * inRound, inRound) / inRound);
    }

    @Override
    public Cost cost() {
      return new Cost(
          processor.micros() / (waited.size() * inRound), new Measured(waited).median());
    }

    /// @return microseconds until all were acknowledged
    private double send(int from, int count) {
      var events = WorkDay.events(from, count);
      Clock clock = Clock.start();
      Sending.stream(daemon.client(), events);
      double acknowledged = clock.micros();
      daemon.awaitToc();
      daemon.awaitIndexed();
      return acknowledged;
    }

    @Override
    public void close() {
      daemon.close();
      Trees.delete(site.path(NAME));
    }
  }
}
