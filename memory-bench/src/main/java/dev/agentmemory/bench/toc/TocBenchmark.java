package dev.agentmemory.bench.toc;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How fast events become a rolled-up table of contents, against one thread that only counts the
/// tokens of the same text.
public final class TocBenchmark implements Comparison.Possible {

  private static final int ROUNDS = 5;
  private static final int WARM_UP = 3;
  private static final int COPIES = 50;
  private static final Duration APART = Duration.ofDays(7);
  private static final double BAR_RATE = 3_000;
  private static final double BAR_RATIO = 0.2;

  @Override
  public String name() {
    return "toc";
  }

  @Override
  public String shows() {
    return "events/s from the first send to a rolled-up table of contents";
  }

  @Override
  public Comparison comparison() {
    return new TocComparison();
  }

  @Override
  public Result run(Site site) throws IOException {
    List<Event> dialogues = EventFiles.dialogues(site.locomo());
    TokenCounter tokens = new BpeTokens();
    var acked = new ArrayList<Double>();
    var complete = new ArrayList<Double>();
    var counted = new ArrayList<Double>();
    double tokensInRound = 0;
    BenchDaemon daemon = site.daemon("toc", Site.WITHOUT_EMBEDDINGS);
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      List<Event> events = copies(dialogues, (ROUNDS - round) * COPIES, COPIES);
      Clock clock = Clock.start();
      tokensInRound = count(tokens, events);
      double count = clock.seconds();
      clock = Clock.start();
      Sending.stream(daemon.client(), events);
      double ack = clock.seconds();
      daemon.awaitToc();
      double done = clock.seconds();
      daemon.awaitIndexed();
      if (round >= 0) {
        counted.add(events.size() / count);
        acked.add(events.size() / ack);
        complete.add(events.size() / done);
      }
    }
    return result(
        dialogues.size() * COPIES,
        tokensInRound,
        new Measured(acked),
        new Measured(complete),
        new Measured(counted));
  }

  private Result result(
      int events, double tokens, Measured acked, Measured complete, Measured counted) {
    Measured ratio = complete.over(counted);
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR_RATE, "rolled-up events", complete.median(), "events/s"),
            Check.atLeast(BAR_RATIO, "rolled up / tokenised only", ratio.median(), "ratio")),
        List.of(
            new Result.Row("acknowledged", "events/s", acked),
            new Result.Row("rolled up", "events/s", complete),
            new Result.Row("one thread, tokenised only", "events/s", counted),
            new Result.Row("ratio", "ratio", ratio),
            Result.Row.of("events per round", "", events),
            Result.Row.of("tokens per round", "", tokens)),
        List.of(
            COPIES
                + " copies of the dialogues per round, "
                + APART.toDays()
                + " days apart, all in one"
                + " daemon; measured from the first send"));
  }

  /// Oldest copy first, in the order of time.
  ///
  /// @param last the number of the latest copy; copies with higher numbers are older
  static List<Event> copies(List<Event> events, int last, int count) {
    var all = new ArrayList<Event>(events.size() * count);
    for (int copy = last + count - 1; copy >= last; copy--) {
      Duration back = APART.multipliedBy(copy);
      for (Event event : events) {
        all.add(EventFiles.shifted(event, copy, back));
      }
    }
    return all;
  }

  private static double count(TokenCounter tokens, List<Event> events) {
    long sum = 0;
    for (Event event : events) {
      sum += tokens.count(event.text());
    }
    return sum;
  }
}
