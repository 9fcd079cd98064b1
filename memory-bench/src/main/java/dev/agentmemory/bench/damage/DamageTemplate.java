package dev.agentmemory.bench.damage;

import dev.agentmemory.bench.crash.CrashEvents;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A data directory to be damaged: two workspaces, several table files of each table, and a log
/// that was not flushed because the daemon was killed.
///
/// @param directory of the daemon that was killed
/// @param acknowledged the acknowledged events of each workspace
public record DamageTemplate(Path directory, Map<String, Map<EventId, Event>> acknowledged) {

  static final String DEFAULT = "default";
  static final String OTHER = "billing";
  static final List<String> WORKSPACES = List.of(DEFAULT, OTHER);

  private static final int ROUNDS = 4;
  private static final int EVENTS_IN_ROUND = 150;

  private static final Pattern SEQUENCE = Pattern.compile(" sequence=([0-9]+) ");

  public DamageTemplate {
    var copies = new HashMap<String, Map<EventId, Event>>();
    acknowledged.forEach((name, events) -> copies.put(name, Map.copyOf(events)));
    acknowledged = Map.copyOf(copies);
  }

  /// Creates a template.
  ///
  /// @param name of the data directory, which must not exist
  /// @param unwitnessed events of each workspace that are acknowledged directly before the kill,
  ///   when the witness cannot have recorded them yet
  static DamageTemplate fill(Site site, String name, long seed, int unwitnessed) {
    var acknowledged = new HashMap<String, Map<EventId, Event>>();
    for (int round = 0; round < ROUNDS; round++) {
      BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS);
      for (String workspace : WORKSPACES) {
        try (MemoryClient client = daemon.client(workspace)) {
          send(client, story(workspace, seed, round * EVENTS_IN_ROUND, EVENTS_IN_ROUND))
              .forEach((id, event) -> of(acknowledged, workspace).put(id, event));
          daemon.awaitToc(client);
          daemon.awaitUntil("the index", () -> client.search().status().behind() == 0);
        }
      }
      if (round < ROUNDS - 1) {
        daemon.close();
        continue;
      }
      WORKSPACES.forEach(workspace -> awaitWitness(daemon, site.path(name), workspace));
      for (String workspace : WORKSPACES) {
        try (MemoryClient client = daemon.client(workspace)) {
          send(client, story(workspace, seed, ROUNDS * EVENTS_IN_ROUND, unwitnessed))
              .forEach((id, event) -> of(acknowledged, workspace).put(id, event));
        }
      }
      daemon.kill();
    }
    return new DamageTemplate(site.path(name), acknowledged);
  }

  private static Map<EventId, Event> of(Map<String, Map<EventId, Event>> all, String workspace) {
    return all.computeIfAbsent(workspace, _ -> new HashMap<>());
  }

  private static Map<EventId, Event> send(MemoryClient client, List<Event> events) {
    Sending.stream(client, events);
    var sent = new HashMap<EventId, Event>();
    events.forEach(event -> sent.put(event.id(), event));
    return sent;
  }

  private static List<Event> story(String workspace, long seed, int from, int count) {
    var story = new CrashEvents(seed + WORKSPACES.indexOf(workspace));
    var events = new ArrayList<Event>();
    for (int number = from; number < from + count; number++) {
      events.add(story.event(number));
    }
    return events;
  }

  /// Waits until the witness of a workspace records all that its store has acknowledged.
  public static void awaitWitness(BenchDaemon daemon, Path data, String workspace) {
    try (MemoryClient client = daemon.client(workspace)) {
      long head = client.admin().status().store().outboxHead();
      daemon.awaitUntil(
          "the witness of " + workspace, () -> witnessed(witness(data, workspace)) >= head);
    }
  }

  static Path witness(Path data, String workspace) {
    return data.resolve("witness").resolve(workspace);
  }

  /// The sequence in a witness; of its two slots either may be the newer one.
  private static long witnessed(Path file) {
    try {
      return SEQUENCE
          .matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
          .results()
          .mapToLong(found -> Long.parseLong(found.group(1)))
          .max()
          .orElse(0);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// How many of the expected events are missing or differ.
  static int missing(Map<EventId, Event> expected, Map<EventId, Event> found) {
    int missing = 0;
    for (Event event : expected.values()) {
      missing += DaemonContents.same(event, found.get(event.id())) ? 0 : 1;
    }
    return missing;
  }
}
