package dev.agentmemory.recall.truth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.text.TextResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Two statements and whether the newer one supersedes the older one.
record LabelledPair(StatedText older, StatedText newer, boolean supersedes) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Reads a sample of the benchmark.
  static List<LabelledPair> sample(Path file) throws IOException {
    var pairs = new ArrayList<LabelledPair>();
    for (String line : Files.readAllLines(file)) {
      JsonNode json = JSON.readTree(line);
      pairs.add(
          new LabelledPair(
              stated(json.path("old")),
              stated(json.path("new")),
              json.path("label").asText().equals("supersedes")));
    }
    return pairs;
  }

  /// Reads the pairs that the weights are fitted to besides.
  static List<LabelledPair> development() {
    return TextResource.beside(LabelledPair.class, "development.txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .map(parts ->
            new LabelledPair(
                new StatedText(kind(parts[1]), parts[2]),
                new StatedText(kind(parts[1]), parts[3]),
                parts[0].equals("+")))
        .toList();
  }

  private static MemoryKind kind(String letter) {
    return switch (letter) {
      case "d" -> MemoryKind.DECISION;
      case "p" -> MemoryKind.PREFERENCE;
      case "f" -> MemoryKind.FINDING;
      case "o" -> MemoryKind.OBSERVATION;
      default -> throw new IllegalArgumentException(letter);
    };
  }

  private static StatedText stated(JsonNode side) {
    return new StatedText(
        MemoryKind.valueOf(side.path("kind").asText().toUpperCase(Locale.ROOT)),
        side.path("text").asText());
  }
}
