package dev.agentmemory.bench.crash;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Kills the daemon repeatedly while clients write, and compares the result with that of a daemon
/// that was never killed.
public final class CrashBenchmark implements Benchmark {

  private static final int KILLS = Integer.getInteger("kills", 30);
  private static final int MOST_MILLIS_BEFORE_KILL = 1_000;
  private static final int SYNC_SAMPLES = 200;
  private static final int FINDINGS = 100;
  private static final int SHOWN_DIFFERENCES = 5;

  @Override
  public String name() {
    return "crash";
  }

  @Override
  public String shows() {
    return KILLS
        + " kill -9 under load: lost acknowledged events, and differences from a run without kills";
  }

  /// Final content of a daemon.
  private record Holdings(
      Map<EventId, Event> events,
      Map<NodeId, TocNode> nodes,
      Map<GripId, GripContext> grips,
      List<Finding> findings) {

    static Holdings of(BenchDaemon daemon) {
      MemoryClient client = daemon.client();
      daemon.awaitToc();
      // Whether a segment is open depends on the clock, so all are closed before the comparison.
      var _ = client.jobs().run("segment_flush");
      daemon.awaitToc();
      Map<NodeId, TocNode> nodes = DaemonContents.nodes(client);
      return new Holdings(
          DaemonContents.events(client),
          timeless(nodes),
          DaemonContents.grips(client, nodes.values()),
          client.admin().verify(FINDINGS));
    }

    private static Map<NodeId, TocNode> timeless(Map<NodeId, TocNode> nodes) {
      var timeless = new TreeMap<NodeId, TocNode>();
      nodes.forEach((id, node) -> {
        Edition edition = node.edition();
        var same = new Edition(1, Instant.EPOCH, edition.provisional(), edition.summarizer());
        timeless.put(id, node.withEdition(same));
      });
      return timeless;
    }
  }

  @Override
  public Result run(Site site) throws InterruptedException {
    long seed = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    var notes = new ArrayList<String>();
    notes.add("seed " + seed + " (-Dseed=" + seed + " in BENCH_JAVA_OPTS repeats the run)");
    var story = new CrashEvents(seed);
    var load = new CrashLoad(story, new CrashCommands(site, site.path("killed")));
    int underLoad = killAgainAndAgain(site, load, new SplittableRandom(seed));
    Holdings survived;
    try (BenchDaemon daemon = site.daemon("killed")) {
      load.finish(daemon.client());
      survived = Holdings.of(daemon);
    }
    Holdings calm;
    int unsynced;
    try (BenchDaemon daemon = site.daemon("calm")) {
      for (int from = 0; from < load.begun(); from += 1000) {
        Sending.stream(daemon.client(), chapter(story, from, Math.min(from + 1000, load.begun())));
      }
      calm = Holdings.of(daemon);
      unsynced = unsyncedAcks(daemon, story, load.begun());
    }
    int lost = lost(load, story, survived.events(), notes);
    int differences =
        differences("node", survived.nodes(), calm.nodes(), notes)
            + differences("grip", survived.grips(), calm.grips(), notes);
    int findings = survived.findings().size() + calm.findings().size();
    survived.findings().stream().limit(SHOWN_DIFFERENCES).forEach(f -> notes.add("found " + f));
    load.surprises().stream().limit(SHOWN_DIFFERENCES).forEach(notes::add);
    if (load.countless() > 0) {
      notes.add("output of a command without counts: " + load.lastWords());
    }
    notes.add("a test of memory-storage shows that there is no answer after a failed sync");
    return new Result(
        name(),
        List.of(
            Check.atMost(0, "acknowledged events lost", lost, "events"),
            Check.atMost(0, "nodes and grips that differ", differences, "records"),
            Check.atMost(0, "findings of verify", findings, "findings"),
            Check.atMost(0, "answers without a sync of the log", unsynced, "answers"),
            Check.atMost(0, "refused or failed calls", load.surprises().size(), "calls"),
            Check.atMost(0, "commands that ended without counts", load.countless(), "commands")),
        List.of(
            Result.Row.of("kills", "", KILLS),
            Result.Row.of("kills while calls were open", "", underLoad),
            Result.Row.of("commands interrupted by a kill", "", load.cutShort()),
            Result.Row.of("events sent", "", load.begun()),
            Result.Row.of("events acknowledged", "", load.acknowledged().size()),
            Result.Row.of("events read back", "", survived.events().size()),
            Result.Row.of("nodes compared", "", calm.nodes().size()),
            Result.Row.of("grips compared", "", calm.grips().size()),
            Result.Row.of("answers checked for a sync", "", SYNC_SAMPLES)),
        notes);
  }

  /// @return number of kills during which events were sent and not answered
  private static int killAgainAndAgain(Site site, CrashLoad load, SplittableRandom random)
      throws InterruptedException {
    int underLoad = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      BenchDaemon daemon = site.daemon("killed");
      load.start(daemon.client());
      Thread.sleep(random.nextInt(1, MOST_MILLIS_BEFORE_KILL));
      load.stop();
      daemon.kill();
      load.join();
      underLoad += load.acknowledged().size() < load.begun() ? 1 : 0;
    }
    return underLoad;
  }

  private static List<Event> chapter(CrashEvents story, int from, int to) {
    var events = new ArrayList<Event>();
    for (int number = from; number < to; number++) {
      events.add(story.event(number));
    }
    return events;
  }

  /// Without other writes, the log must have been synced once more after each answer.
  ///
  /// @return number of answers for which it was not
  private static int unsyncedAcks(BenchDaemon daemon, CrashEvents story, int from) {
    MemoryClient client = daemon.client();
    Workers.pause(client);
    int unsynced = 0;
    long syncs = client.admin().status().store().walSyncs();
    for (int number = from; number < from + SYNC_SAMPLES; number++) {
      var _ = client.ingest().append(story.event(number));
      long now = client.admin().status().store().walSyncs();
      unsynced += now > syncs ? 0 : 1;
      syncs = now;
    }
    return unsynced;
  }

  private static int lost(
      CrashLoad load, CrashEvents story, Map<EventId, Event> stored, List<String> notes) {
    int lost = 0;
    for (int number : load.acknowledged()) {
      Event event = story.event(number);
      if (!DaemonContents.same(event, stored.get(event.id()))) {
        lost++;
        notes.add("lost or changed: event " + number + " " + event.id());
      }
    }
    if (load.acknowledged().size() != load.begun() || stored.size() != load.begun()) {
      notes.add(
          "%d events sent, %d acknowledged, %d stored"
              .formatted(load.begun(), load.acknowledged().size(), stored.size()));
    }
    return lost + Math.abs(stored.size() - load.begun());
  }

  private static <K, V> int differences(
      String what, Map<K, V> survived, Map<K, V> calm, List<String> notes) {
    Set<K> keys = new TreeSet<>(calm.keySet());
    keys.addAll(survived.keySet());
    int differences = 0;
    for (K key : keys) {
      if (!Objects.equals(survived.get(key), calm.get(key))) {
        if (differences++ < SHOWN_DIFFERENCES) {
          notes.add("%s %s differs".formatted(what, key));
          notes.add("  after kills: " + head(survived.get(key)));
          notes.add("  without kills: " + head(calm.get(key)));
        }
      }
    }
    return differences;
  }

  private static String head(@Nullable Object record) {
    String text = String.valueOf(record);
    return text.substring(0, Math.min(text.length(), 300));
  }
}
