package dev.agentmemory.bench;

import java.util.ArrayList;

/// Storing through the stream. Time is waited until the events of a round are acknowledged, the
/// median of the rounds: a compilation or a merge of tables falls into one round or into another.
/// Processor time counts until all events are in the table of contents and in the index.
final class IngestComparison implements Comparison {

  private static final int ROUNDS = 12;
  private static final int ROUND = 5_000;
  private static final int WARM_UP = 60_000;
  private static final String NAME = "ingest";

  @Override
  public String unit() {
    return "event";
  }

  @Override
  public Cost measure(Site site) {
    int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;
    int warmUp = Math.min(WARM_UP, ROUNDS * inRound);
    var waited = new ArrayList<Double>();
    double cpu;
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      send(daemon, 0, warmUp);
      var processor = ProcessorTime.since(daemon.pid());
      for (int round = 0; round < ROUNDS; round++) {
        waited.add(send(daemon, warmUp + round * inRound, inRound) / inRound);
      }
      cpu = processor.micros();
    }
    Trees.delete(site.path(NAME));
    int events = ROUNDS * inRound;
    return new Cost(cpu / events, new Measured(waited).median());
  }

  /// @return microseconds until all were acknowledged
  private static double send(BenchDaemon daemon, int from, int count) {
    var events = WorkDay.events(from, count);
    Clock clock = Clock.start();
    Sending.stream(daemon.client(), events);
    double acknowledged = clock.micros();
    daemon.awaitToc();
    daemon.awaitIndexed();
    return acknowledged;
  }
}
