package dev.agentmemory.bench.recall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.extract.TurnSpeaker;
import dev.agentmemory.text.TextResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// A turn with the statements that people found in it.
///
/// @param domain `chat` or `coding`
record ExtractionItem(String domain, TurnSpeaker speaker, String text, List<Expected> expected) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// A statement that should be extracted.
  record Expected(MemoryKind kind, String statement) {}

  ExtractionItem {
    Objects.requireNonNull(domain, "domain");
    Objects.requireNonNull(text, "text");
    expected = List.copyOf(expected);
  }

  /// Reads a sample that stands beside this class.
  static List<ExtractionItem> read(String resource) {
    return TextResource.beside(ExtractionItem.class, resource)
        .lines()
        .map(ExtractionItem::of)
        .toList();
  }

  private static ExtractionItem of(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      var expected = new ArrayList<Expected>();
      for (JsonNode one : json.path("expected")) {
        expected.add(new Expected(kind(one.path("kind").asText()), one.path("statement").asText()));
      }
      return new ExtractionItem(
          json.path("domain").asText(),
          speaker(json.path("speaker").asText()),
          json.path("text").asText(),
          expected);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  static MemoryKind kind(String name) {
    return MemoryKind.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static TurnSpeaker speaker(String name) {
    return switch (name) {
      case "user" -> TurnSpeaker.PERSON;
      case "assistant" -> TurnSpeaker.ASSISTANT;
      case "tool" -> TurnSpeaker.TOOL;
      case "program" -> TurnSpeaker.PROGRAM;
      default -> throw new IllegalArgumentException("speaker " + name);
    };
  }
}
