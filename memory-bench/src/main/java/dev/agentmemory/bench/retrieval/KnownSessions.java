package dev.agentmemory.bench.retrieval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;

/// Whether a search finds the session of a coding agent that somebody remembers: each query is a
/// sentence that was kept of a session, or the subject of a commit that was made in it. The figures
/// are means of both kinds.
final class KnownSessions {

  private static final int LIMIT = 50;
  private static final double BAR_MRR = 0.93;
  private static final double BAR_FIRST = 0.90;
  private static final String COMMIT = "commit";
  private static final ObjectMapper JSON = new ObjectMapper();

  private KnownSessions() {}

  /// @param sessions those that are right
  private record Query(String id, String kind, String text, Set<String> sessions, Instant asked) {}

  /// @param place of the first right session among the distinct ones; 0 when none is found
  private record Found(Query query, int place) {

    double reciprocal() {
      return place == 0 ? 0 : 1.0 / place;
    }

    double isFirst() {
      return place == 1 ? 1 : 0;
    }
  }

  /// The folder of the queries; empty when it is not with the data.
  static Optional<Path> folder(Site site) {
    Path folder = site.data().resolve("coding");
    return Optional.of(folder).filter(there -> Files.isReadable(there.resolve("queries.jsonl")));
  }

  static void run(Site site, Path folder, List<Check> checks, List<Result.Row> rows)
      throws IOException {
    List<Event> events = EventFiles.dialogues(folder.resolve("events.jsonl.gz"));
    List<Found> found;
    try (BenchDaemon daemon = site.daemon("coding")) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
      daemon.awaitIndexed();
      daemon.awaitEmbedded(daemon.client());
      found = found(site, daemon.client(), queries(folder.resolve("queries.jsonl")));
    }
    checks.add(
        Check.atLeast(BAR_MRR, "coding sessions: mrr", mean(found, Found::reciprocal), "ratio"));
    checks.add(
        Check.atLeast(BAR_FIRST, "coding sessions: sess@1", mean(found, Found::isFirst), "ratio"));
    kinds(found)
        .forEach((kind, some) -> {
          String label = "coding sessions, " + kind;
          rows.add(Result.Row.of(label + ": queries", "", some.size()));
          rows.add(Result.Row.of(label + ": mrr", "ratio", alone(some, Found::reciprocal)));
          rows.add(Result.Row.of(label + ": sess@1", "ratio", alone(some, Found::isFirst)));
        });
  }

  private static List<Found> found(Site site, MemoryClient client, List<Query> queries)
      throws IOException {
    var found = new ArrayList<Found>();
    Path results = site.output("known-sessions.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(results)) {
      for (Query query : queries) {
        List<String> ranked =
            client
                .search()
                .search(SearchRequest.of(query.text(), LIMIT, query.asked()))
                .hits()
                .stream()
                .flatMap(hit -> hit.session().stream())
                .map(SessionId::value)
                .toList();
        out.write(JSON.writeValueAsString(Map.of("id", query.id(), "ranked", ranked)));
        out.newLine();
        found.add(new Found(query, place(query, ranked)));
      }
    }
    return found;
  }

  /// A subagent's session is that of its parent.
  private static int place(Query query, List<String> ranked) {
    Set<String> distinct = new LinkedHashSet<>();
    ranked.forEach(session -> distinct.add(session.split("/", 2)[0]));
    int place = 0;
    for (String session : distinct) {
      place++;
      if (query.sessions().contains(session)) {
        return place;
      }
    }
    return 0;
  }

  private static Map<String, List<Found>> kinds(List<Found> found) {
    var kinds = new TreeMap<String, List<Found>>();
    for (Found one : found) {
      String kind = one.query().kind().equals(COMMIT) ? "commits" : "kept sentences";
      kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(one);
    }
    return kinds;
  }

  private static double mean(List<Found> found, ToDoubleFunction<Found> figure) {
    return kinds(found).values().stream()
        .mapToDouble(some -> alone(some, figure))
        .average()
        .orElse(0);
  }

  private static double alone(List<Found> found, ToDoubleFunction<Found> figure) {
    return found.stream().mapToDouble(figure).average().orElse(0);
  }

  private static List<Query> queries(Path file) throws IOException {
    var queries = new LinkedHashMap<String, Query>();
    try (BufferedReader lines = EventFiles.lines(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          Query query = query(JSON.readTree(line));
          queries.put(query.id(), query);
        }
      }
    }
    return List.copyOf(queries.values());
  }

  private static Query query(JsonNode row) {
    Set<String> sessions = new LinkedHashSet<>();
    StreamSupport.stream(row.path("sessions").spliterator(), false)
        .map(JsonNode::asText)
        .forEach(sessions::add);
    return new Query(
        row.path("id").asText(),
        row.path("kind").asText(),
        row.path("query").asText(),
        sessions,
        Instant.ofEpochMilli(row.path("now_ms").asLong()));
  }
}
