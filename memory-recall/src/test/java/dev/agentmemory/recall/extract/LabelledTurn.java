package dev.agentmemory.recall.extract;

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
import java.util.stream.Stream;

/// A turn with the statements that it contains.
record LabelledTurn(TurnSpeaker speaker, String text, List<Expected> expected) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double MOST = 0.6;
  private static final double SHARE = 0.4;

  /// A statement of the turn, by its place.
  record Expected(MemoryKind kind, int start, int end) {

    int overlap(int otherStart, int otherEnd) {
      return Math.max(0, Math.min(end, otherEnd) - Math.max(start, otherStart));
    }

    /// Whether at least half of it lies between two places, or it covers nearly all between them.
    boolean isMostlyIn(int otherStart, int otherEnd) {
      int overlap = overlap(otherStart, otherEnd);
      return overlap * 2 >= end - start || overlap * 10 >= 9 * (otherEnd - otherStart);
    }

    /// Whether an extracted statement between two places is this one.
    boolean isIn(int otherStart, int otherEnd) {
      int overlap = overlap(otherStart, otherEnd);
      return overlap >= MOST * (end - start) && overlap >= SHARE * (otherEnd - otherStart);
    }
  }

  /// Reads a sample of the benchmark.
  static List<LabelledTurn> sample(Path file) throws IOException {
    var turns = new ArrayList<LabelledTurn>();
    for (String line : Files.readAllLines(file)) {
      JsonNode json = JSON.readTree(line);
      String text = json.path("text").asText();
      var expected = new ArrayList<Expected>();
      for (JsonNode one : json.path("expected")) {
        String statement = one.path("statement").asText();
        int start = text.indexOf(statement);
        expected.add(
            new Expected(
                MemoryKind.valueOf(one.path("kind").asText().toUpperCase(Locale.ROOT)),
                start,
                start + statement.length()));
      }
      turns.add(new LabelledTurn(speaker(json.path("speaker").asText()), text, expected));
    }
    return turns;
  }

  /// Reads the turns that the weights are fitted to besides, most of which are hard on purpose.
  static List<LabelledTurn> development() {
    return Stream.of("development.txt", "turns-2.txt").flatMap(LabelledTurn::turns).toList();
  }

  /// Reads the turns of further authors, who mixed plain and hard ones.
  static List<LabelledTurn> mixed() {
    return Stream.of("turns-1.txt", "turns-3.txt", "turns-4.txt", "turns-5.txt", "turns-6.txt")
        .flatMap(LabelledTurn::turns)
        .toList();
  }

  private static Stream<LabelledTurn> turns(String file) {
    return TextResource.beside(LabelledTurn.class, file)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(LabelledTurn::of);
  }

  private static LabelledTurn of(String line) {
    int tab = line.indexOf('\t');
    String marked = line.substring(tab + 1).replace("\\n", "\n");
    var text = new StringBuilder();
    var expected = new ArrayList<Expected>();
    int at = 0;
    while (at < marked.length()) {
      boolean opens =
          marked.startsWith("{d ", at)
              || marked.startsWith("{p ", at)
              || marked.startsWith("{f ", at);
      if (!opens) {
        text.append(marked.charAt(at));
        at++;
        continue;
      }
      int close = marked.indexOf('}', at);
      MemoryKind kind =
          switch (marked.charAt(at + 1)) {
            case 'd' -> MemoryKind.DECISION;
            case 'p' -> MemoryKind.PREFERENCE;
            default -> MemoryKind.FINDING;
          };
      int start = text.length();
      text.append(marked, at + 3, close);
      expected.add(new Expected(kind, start, text.length()));
      at = close + 1;
    }
    return new LabelledTurn(speaker(line.substring(0, tab)), text.toString(), expected);
  }

  private static TurnSpeaker speaker(String name) {
    return switch (name) {
      case "user" -> TurnSpeaker.PERSON;
      case "assistant" -> TurnSpeaker.ASSISTANT;
      case "tool" -> TurnSpeaker.TOOL;
      case "program" -> TurnSpeaker.PROGRAM;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
