package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.crash.CrashEvents;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The data directory with which each schedule begins: several files of each table, and an index.
///
/// @param events all of them are acknowledged
record TortureTemplate(Path directory, Map<EventId, Event> events) {

  private static final int ROUNDS = 3;
  private static final int EVENTS_IN_ROUND = 200;

  /// Is no seed of a schedule, whose events are others.
  private static final long SEED = -1;

  TortureTemplate {
    events = Map.copyOf(events);
  }

  static TortureTemplate fill(Site site, String... settings) {
    var story = new CrashEvents(SEED);
    var sent = new HashMap<EventId, Event>();
    for (int round = 0; round < ROUNDS; round++) {
      int from = round * EVENTS_IN_ROUND;
      List<Event> events =
          IntStream.range(from, from + EVENTS_IN_ROUND).mapToObj(story::event).toList();
      try (BenchDaemon daemon = site.daemon("template", settings)) {
        Sending.stream(daemon.client(), events);
        events.forEach(event -> sent.put(event.id(), event));
        daemon.awaitToc();
        daemon.awaitIndexed(daemon.client(), sent.size());
      }
    }
    return new TortureTemplate(site.path("template"), sent);
  }
}
