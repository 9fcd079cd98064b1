package dev.agentmemory.bench.digest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What somebody kept of a stretch of a session: a summary, or the message of a commit.
///
/// @param source `summary` or `commit`
/// @param from time of the first event of the stretch
/// @param to time of the last one
record KeptDigest(
    String id, String source, String session, Instant from, Instant to, List<Item> items) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// A statement of a digest.
  ///
  /// @param kind such as `intent`, `outcome` or `commit`
  /// @param terms the weight of each term that occurs in the stretch, too
  record Item(String kind, Map<String, Double> terms) {

    Item {
      terms = Map.copyOf(terms);
    }

    /// How much it counts; 0 for kinds that are no part of the score.
    int weight() {
      return switch (kind) {
        case "intent", "outcome" -> 2;
        case "learning", "finding", "open", "commit" -> 1;
        default -> 0;
      };
    }

    /// The weighted share of its terms that a text has.
    double recall(Set<String> had) {
      double all = 0;
      double found = 0;
      for (Map.Entry<String, Double> term : terms.entrySet()) {
        all += term.getValue();
        found += had.contains(term.getKey()) ? term.getValue() : 0;
      }
      return found / all;
    }
  }

  KeptDigest {
    items = List.copyOf(items);
  }

  /// Whether any of it counts.
  boolean isScored() {
    return items.stream().anyMatch(item -> item.weight() > 0);
  }

  /// The recall of its items, by their weight.
  double recall(Set<String> had) {
    double sum = 0;
    int weights = 0;
    for (Item item : items) {
      sum += item.weight() > 0 ? item.weight() * item.recall(had) : 0;
      weights += item.weight();
    }
    return sum / weights;
  }

  /// Reads one digest per line. Items without a term that occurs in the stretch are left out.
  static List<KeptDigest> read(Path file) throws IOException {
    var digests = new ArrayList<KeptDigest>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          digests.add(digest(JSON.readTree(line)));
        }
      }
    }
    return digests;
  }

  private static KeptDigest digest(JsonNode row) {
    var items = new ArrayList<Item>();
    for (JsonNode item : row.path("items")) {
      var terms = new HashMap<String, Double>();
      item.path("terms")
          .properties()
          .forEach(term -> terms.put(term.getKey(), term.getValue().asDouble()));
      if (terms.values().stream().mapToDouble(Double::doubleValue).sum() > 0) {
        items.add(new Item(item.path("kind").asText(), terms));
      }
    }
    return new KeptDigest(
        row.path("id").asText(),
        row.path("source").asText(),
        row.path("session_id").asText(),
        Instant.ofEpochMilli(row.path("from_ms").asLong()),
        Instant.ofEpochMilli(row.path("to_ms").asLong()),
        items);
  }
}
