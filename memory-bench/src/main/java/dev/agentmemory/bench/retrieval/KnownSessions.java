package dev.agentmemory.bench.retrieval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.search.RelevanceThreshold;
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
/// sentence that was kept of a session, or the subject of a commit that was made in it. The bars
/// are those of kept sentences: subjects of commits are few, and say little of what was talked
/// about.
final class KnownSessions {

  private static final int LIMIT = 50;
  private static final double BAR_MRR = 0.93;
  private static final double BAR_FIRST = 0.90;
  private static final String COMMIT = "commit";
  private static final String KEPT = "kept sentences";
  private static final String FILE = "queries.jsonl";

  /// Hits that count as found.
  private static final int FEW = 10;

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
    return Optional.of(folder).filter(there -> Files.isReadable(there.resolve(FILE)));
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
      found = found(site, daemon.client(), queries(folder.resolve(FILE)));
    }
    kinds(found)
        .forEach((kind, some) -> {
          String label = "coding sessions, " + kind;
          double mrr = mean(some, Found::reciprocal);
          double first = mean(some, Found::isFirst);
          rows.add(Result.Row.of(label + ": queries", "", some.size()));
          if (kind.equals(KEPT)) {
            checks.add(Check.atLeast(BAR_MRR, label + ": mrr", mrr, "ratio"));
            checks.add(Check.atLeast(BAR_FIRST, label + ": sess@1", first, "ratio"));
          } else {
            rows.add(Result.Row.of(label + ": mrr", "ratio", mrr));
            rows.add(Result.Row.of(label + ": sess@1", "ratio", first));
          }
        });
  }

  /// Share of the queries with a right session among the first hits.
  ///
  /// @param threshold of the searches
  static double recall(MemoryClient client, Path folder, RelevanceThreshold threshold)
      throws IOException {
    return queries(folder.resolve(FILE)).stream()
        .mapToDouble(query -> {
          int place = place(query, ranked(client, query, FEW, threshold));
          return place == 0 ? 0 : 1;
        })
        .average()
        .orElse(0);
  }

  /// The sessions of the hits, the best first.
  private static List<String> ranked(
      MemoryClient client, Query query, int limit, RelevanceThreshold threshold) {
    return client
        .search()
        .search(SearchRequest.of(query.text(), limit, query.asked()).withThreshold(threshold))
        .hits()
        .stream()
        .flatMap(hit -> hit.session().stream())
        .map(SessionId::value)
        .toList();
  }

  private static List<Found> found(Site site, MemoryClient client, List<Query> queries)
      throws IOException {
    var found = new ArrayList<Found>();
    Path results = site.output("known-sessions.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(results)) {
      for (Query query : queries) {
        List<String> ranked = ranked(client, query, LIMIT, RelevanceThreshold.NONE);
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
      String kind = one.query().kind().equals(COMMIT) ? "commits" : KEPT;
      kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(one);
    }
    return kinds;
  }

  private static double mean(List<Found> found, ToDoubleFunction<Found> figure) {
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
