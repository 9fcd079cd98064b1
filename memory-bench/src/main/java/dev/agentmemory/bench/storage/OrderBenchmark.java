package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.data.Transcripts;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Whether the events of each session are read in the order of their file. In real logs many events
/// have the same timestamp.
public final class OrderBenchmark implements Benchmark {

  private static final long SEED = Long.getLong("seed", 20260130);
  private static final int TIMEOUT_MINUTES = 30;

  /// How the lines are sent to the daemon.
  private enum Way {
    /// `memory ingest FILE`, which sends the line numbers as positions.
    FILE,
    /// `memory ingest -`, which sends no positions: the daemon assigns them.
    PIPE,
    /// In another order, each line with its position in the file.
    SHUFFLED
  }

  @Override
  public String name() {
    return "order";
  }

  @Override
  public String shows() {
    return "events of a session that are read in another order than that of its file";
  }

  @Override
  public Result run(Site site) throws Exception {
    var rows = new ArrayList<Result.Row>();
    long differences = 0;
    try (BenchDaemon daemon = site.daemon("order", Site.WITHOUT_EMBEDDINGS)) {
      for (Map.Entry<String, List<Event>> source : sources(site).entrySet()) {
        List<Event> events = source.getValue();
        Map<SessionId, List<EventId>> expected = expected(events);
        rows.add(Result.Row.of(source.getKey() + " lines", "", events.size()));
        rows.add(Result.Row.of(source.getKey() + " sessions", "", expected.size()));
        rows.add(
            Result.Row.of(
                source.getKey() + " with the timestamp of the previous event",
                "",
                (double) ties(events)));
        for (Way way : Way.values()) {
          String label = source.getKey() + "-" + way.name().toLowerCase(Locale.ROOT);
          ingest(site, label, lines(events, way), way);
          long found = differences(expected, read(daemon, label));
          rows.add(Result.Row.of(label + " out of place", "", (double) found));
          differences += found;
        }
      }
    }
    return new Result(
        name(),
        List.of(Check.atMost(0, "events out of place", (double) differences, "")),
        rows,
        List.of(
            "events of each session by GetEvents, compared with the lines of the file, those with"
                + " the same timestamp in their order; equal lines are one event; seed "
                + SEED));
  }

  private static Map<String, List<Event>> sources(Site site) throws IOException {
    var sources = new LinkedHashMap<String, List<Event>>();
    sources.put("transcripts", Transcripts.read(site.transcripts()));
    Path coding = site.data().resolve("coding").resolve("events.jsonl.gz");
    if (Files.isReadable(coding)) {
      sources.put("coding", EventFiles.dialogues(coding));
    }
    return sources;
  }

  private static long ties(List<Event> events) {
    var last = new LinkedHashMap<SessionId, Instant>();
    return events.stream()
        .filter(event -> event.timestamp().equals(last.put(event.session(), event.timestamp())))
        .count();
  }

  private static Map<SessionId, List<EventId>> expected(List<Event> events) {
    var seen = new HashSet<EventId>();
    var sessions = new LinkedHashMap<SessionId, List<Event>>();
    events.stream()
        .filter(event -> seen.add(event.id()))
        .forEach(
            event -> sessions.computeIfAbsent(event.session(), _ -> new ArrayList<>()).add(event));
    sessions.values().forEach(each -> each.sort(Comparator.comparing(Event::timestamp)));
    return ids(sessions);
  }

  private static Map<SessionId, List<EventId>> ids(Map<SessionId, List<Event>> sessions) {
    var ids = new LinkedHashMap<SessionId, List<EventId>>();
    sessions.forEach((id, events) -> ids.put(id, events.stream().map(Event::id).toList()));
    return ids;
  }

  private static List<Event> lines(List<Event> events, Way way) {
    if (way != Way.SHUFFLED) {
      return events;
    }
    var lines = new ArrayList<Event>();
    var seen = new HashSet<EventId>();
    for (int i = 0; i < events.size(); i++) {
      // Of equal lines the first one counts.
      if (seen.add(events.get(i).id())) {
        lines.add(events.get(i).withPosition(i + 1));
      }
    }
    Collections.shuffle(lines, new Random(SEED));
    return lines;
  }

  private static void ingest(Site site, String label, List<Event> events, Way way)
      throws IOException, InterruptedException {
    Path file = site.path(label + ".jsonl");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (Event event : events) {
        out.write(EventFiles.lineWithoutId(event).getBytes(StandardCharsets.UTF_8));
        out.write('\n');
      }
    }
    String input = way == Way.PIPE ? "-" : file.toString();
    Path said = site.path(label + ".out");
    Process process =
        new ProcessBuilder(
                List.of(
                    site.launcher(),
                    "ingest",
                    input,
                    "--data",
                    site.path("order").toString(),
                    "--workspace",
                    label))
            .redirectInput(way == Way.PIPE ? Redirect.from(file.toFile()) : Redirect.PIPE)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "memory ingest failed with the output: " + Files.readString(said));
    }
  }

  private static Map<SessionId, List<EventId>> read(BenchDaemon daemon, String workspace) {
    var sessions = new LinkedHashMap<SessionId, List<Event>>();
    try (MemoryClient client = daemon.client(workspace)) {
      DaemonContents.eachEvent(
          client,
          event -> sessions.computeIfAbsent(event.session(), _ -> new ArrayList<>()).add(event));
    }
    return ids(sessions);
  }

  private static long differences(
      Map<SessionId, List<EventId>> expected, Map<SessionId, List<EventId>> found) {
    var sessions = new HashSet<>(expected.keySet());
    sessions.addAll(found.keySet());
    long differences = 0;
    for (SessionId session : sessions) {
      List<EventId> one = expected.getOrDefault(session, List.of());
      List<EventId> other = found.getOrDefault(session, List.of());
      int common = Math.min(one.size(), other.size());
      differences += Math.max(one.size(), other.size()) - common;
      for (int i = 0; i < common; i++) {
        differences += one.get(i).equals(other.get(i)) ? 0 : 1;
      }
    }
    return differences;
  }
}
