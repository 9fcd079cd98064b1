package dev.agentmemory.bench.search;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.ProcessorTime;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// What events cost that come one by one in many live sessions, compared with the same events in
/// bulk, and how soon they are found and their segments have words.
public final class TrickleBenchmark implements Benchmark {

  private static final double EVENTS_PER_SECOND = 100;
  private static final int LIVE = 20;
  private static final int IN_SESSION = 200;

  /// Slow enough for each session to rest after each of its events.
  private static final double RESTING_PER_SECOND = 4;

  /// Events of a session that rests after each further one.
  private static final int BEFORE_RESTS = 150;

  private static final Duration WARM_UP = Duration.ofSeconds(90);

  /// How long processor time is measured; the property `seconds` changes it.
  private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("seconds", 300));

  private static final Duration BESIDE = MEASURED.dividedBy(3);
  private static final int BULK_WARM_UP = 60_000;
  private static final int SAMPLES = 60;
  private static final int CLOSINGS = 20;
  private static final int POLL_MILLIS = 20;

  private static final double BAR_RATIO = 4;
  private static final double BAR_FOUND = 1;
  private static final double BAR_WORDS = 3;

  @Override
  public String name() {
    return "trickle";
  }

  @Override
  public String shows() {
    return "processor time of events that come one by one over that of the same events in bulk";
  }

  /// @param perEvent microseconds of processor time
  /// @param events that came meanwhile
  private record Cost(double perEvent, List<Event> events) {}

  @Override
  public Result run(Site site) throws InterruptedException {
    BenchDaemon daemon = site.daemon("trickle", Site.WITHOUT_EMBEDDINGS);
    Cost trickled = cost(daemon, EVENTS_PER_SECOND, 0, MEASURED);
    Measured found = found(daemon);
    Measured worded = worded(daemon);
    daemon.close();
    double bulk = bulk(site.daemon("bulk", Site.WITHOUT_EMBEDDINGS), trickled.events());
    double rested = rested(site.daemon("resting", Site.WITHOUT_EMBEDDINGS));
    Cost embedded = cost(site.daemon("embedding"), EVENTS_PER_SECOND, 0, BESIDE);
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_RATIO, "one by one / in bulk", trickled.perEvent() / bulk, "ratio"),
            Check.atMost(BAR_FOUND, "acknowledged to found, p99", found.percentile(0.99), "s"),
            Check.atMost(BAR_WORDS, "session ended to words, p99", worded.percentile(0.99), "s")),
        List.of(
            Result.Row.of("one by one, processor time", "us/event", trickled.perEvent()),
            Result.Row.of("in bulk, processor time", "us/event", bulk),
            Result.Row.of(
                "one by one, each followed by a rest, processor time", "us/event", rested),
            Result.Row.of(
                "one by one, with embeddings, processor time", "us/event", embedded.perEvent()),
            new Result.Row("acknowledged to found", "s", found),
            new Result.Row("session ended to words", "s", worded)),
        List.of(
            "%.0f events/s over %d live sessions of %d events of about %d bytes, %d s after %d s of"
                    .formatted(
                        EVENTS_PER_SECOND,
                        LIVE,
                        IN_SESSION,
                        WorkDay.EVENT_BYTES,
                        MEASURED.toSeconds(),
                        WARM_UP.toSeconds())
                + " warm-up; searches and reads only after that",
            "each followed by a rest: %.0f events/s over the live sessions, which have %d events before"
                .formatted(RESTING_PER_SECOND, BEFORE_RESTS),
            "in bulk: the same events through the stream, session by session, until they are rolled"
                + " up and indexed, and memories are extracted, by a daemon that has taken "
                + BULK_WARM_UP
                + " others"));
  }

  private static Cost cost(BenchDaemon daemon, double perSecond, int first, Duration measured)
      throws InterruptedException {
    var events = new ArrayList<Event>();
    try (var trickle = Trickle.start(daemon.client(), perSecond, live(events, first), _ -> {})) {
      Thread.sleep(WARM_UP);
      int before = size(events);
      var time = ProcessorTime.since(daemon.pid());
      Thread.sleep(measured);
      double micros = time.micros();
      int after = size(events);
      // Fails when an event was not stored.
      var _ = trickle.rate();
      return new Cost(micros / (after - before), copy(events, before, after));
    }
  }

  /// Processor time of an event after which the digest of its open segment is made again.
  private static double rested(BenchDaemon daemon) throws InterruptedException {
    int before = LIVE * BEFORE_RESTS;
    Sending.stream(
        daemon.client(), IntStream.range(0, before).mapToObj(TrickleBenchmark::event).toList());
    daemon.awaitToc();
    daemon.awaitIndexed();
    double micros = cost(daemon, RESTING_PER_SECOND, before, BESIDE).perEvent();
    daemon.close();
    return micros;
  }

  private static int size(List<Event> events) {
    synchronized (events) {
      return events.size();
    }
  }

  private static List<Event> copy(List<Event> events, int from, int to) {
    synchronized (events) {
      return List.copyOf(events.subList(from, to));
    }
  }

  /// Events of the sessions in turns, at the time at which they are sent; the last one of a session
  /// ends it.
  ///
  /// @param first number of the first event
  private static IntFunction<Event> live(List<Event> sent, int first) {
    return number -> {
      Event event = event(first + number);
      synchronized (sent) {
        sent.add(event);
      }
      return event;
    };
  }

  private static Event event(int number) {
    int session = number / (LIVE * IN_SESSION) * LIVE + number % LIVE;
    int place = number / LIVE % IN_SESSION;
    Event text = WorkDay.event(session * IN_SESSION + place);
    boolean last = place == IN_SESSION - 1;
    return at(
        new SessionId("live-%06d".formatted(session)),
        last ? EventType.SESSION_END : text.type(),
        text.role(),
        last ? "" : text.text());
  }

  private static Event at(SessionId session, EventType type, EventRole role, String text) {
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    return PlainEvents.of(session, now, type, role, text);
  }

  /// Seconds from the acknowledgement of an event until a search finds it.
  private static Measured found(BenchDaemon daemon) throws InterruptedException {
    Queue<FreshnessBenchmark.Awaited> acknowledged = new ConcurrentLinkedQueue<>();
    try (MemoryClient searcher = daemon.another();
        var trickle =
            Trickle.start(
                daemon.client(),
                EVENTS_PER_SECOND,
                number -> {
                  Event event = event(LIVE * IN_SESSION * 1000 + number);
                  return number % FreshnessBenchmark.SAMPLED == 0
                      ? at(
                          event.session(),
                          EventType.USER_MESSAGE,
                          EventRole.USER,
                          event.text() + " " + FreshnessBenchmark.unique(number))
                      : event;
                },
                event -> {
                  if (FreshnessBenchmark.isSampled(event)) {
                    acknowledged.add(new FreshnessBenchmark.Awaited(event, Clock.start()));
                  }
                })) {
      return new Measured(FreshnessBenchmark.found(searcher, acknowledged, trickle, SAMPLES));
    }
  }

  /// Seconds from the acknowledgement of the end of a session until its last segment is final and
  /// has words, while other sessions go on.
  private static Measured worded(BenchDaemon daemon) throws InterruptedException {
    var seconds = new ArrayList<Double>();
    try (MemoryClient reader = daemon.another();
        var trickle =
            Trickle.start(
                daemon.client(),
                EVENTS_PER_SECOND,
                number -> event(LIVE * IN_SESSION * 2000 + number),
                _ -> {})) {
      for (int i = 0; i < CLOSINGS; i++) {
        List<Event> turns = Talk.session(i);
        var session = new SessionId("closing-" + i);
        for (Event turn : turns) {
          reader.ingest().append(at(session, turn.type(), turn.role(), turn.text()));
        }
        reader.ingest().append(at(session, EventType.SESSION_END, EventRole.USER, ""));
        Clock clock = Clock.start();
        while (!isWorded(reader, session)) {
          Thread.sleep(POLL_MILLIS);
        }
        seconds.add(clock.seconds());
      }
      var _ = trickle.rate();
    }
    return new Measured(seconds);
  }

  private static boolean isWorded(MemoryClient reader, SessionId session) {
    List<SegmentOutline> segments =
        reader.sessions().segments(session, PageRequest.first()).items();
    return !segments.isEmpty()
        && segments.getLast().boundary() == Boundary.SESSION_END
        && reader
            .contents()
            .node(segments.getLast().node())
            .filter(TrickleBenchmark::isWorded)
            .isPresent();
  }

  private static boolean isWorded(TocNode node) {
    return !node.edition().provisional() && !node.bullets().isEmpty();
  }

  private static double bulk(BenchDaemon daemon, List<Event> events) {
    Sending.stream(daemon.client(), WorkDay.events(10_000_000, BULK_WARM_UP));
    settle(daemon);
    List<Event> inSessions =
        events.stream()
            .sorted(Comparator.comparing((Event event) -> event.session().value()))
            .toList();
    var time = ProcessorTime.since(daemon.pid());
    Sending.stream(daemon.client(), inSessions);
    settle(daemon);
    double perEvent = time.micros() / inSessions.size();
    daemon.close();
    return perEvent;
  }

  /// Waits for all that events cause. Memories are extracted from each segment that is closed, so
  /// of events that come one by one it is done meanwhile.
  private static void settle(BenchDaemon daemon) {
    daemon.awaitToc();
    daemon.awaitIndexed();
    daemon.awaitExtracted();
  }
}
