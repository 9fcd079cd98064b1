package dev.agentmemory.recall.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.recall.conversation.Redaction;
import dev.agentmemory.recall.internal.record.RecordJson;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Replaces what memories say in lines that are given away.
///
/// A checksum would tell whether a guessed text is right, so it is left out; the hashes are keyed.
/// Levels of tags are hashed one by one, so equal tags stay equal and a level stays above those
/// below it. The id of an extracted memory is a hash without a key over its session, its event and
/// its text, so the evidence is left out, too: without the event nobody can test a guess by the id.
final class LineRedaction {

  /// Sources that programs enter; others are free text.
  private static final Set<String> KNOWN_SOURCES =
      Set.of("user", "assistant", "system", "extraction", "consolidation", "import");

  /// Of the 24 digits of a hash; a level of a tag has 32 characters at most.
  private static final int TAG_DIGITS = 16;

  private final UnaryOperator<String> hash;
  private final Redaction texts;

  /// @param hash keyed, 24 hexadecimal digits
  LineRedaction(UnaryOperator<String> hash) {
    this.hash = hash;
    this.texts = new Redaction(hash);
  }

  /// For what is no memory.
  Redaction texts() {
    return texts;
  }

  /// Redacts the object of a memory.
  void redact(ObjectNode memory) {
    memory.remove(List.of(LineForm.CHECKSUM, "evidence_events", "evidence_grips"));
    memory.put("text", texts.text(memory.path("kind").asText(), memory.path("text").asText()));
    JsonNode json = memory.path("json");
    if (json.isObject()) {
      String redacted = texts.text("json", RecordJson.write(json));
      memory.putObject("json").put(LineForm.REDACTED, redacted);
    }
    String source = memory.path("source").asText();
    if (!KNOWN_SOURCES.contains(source)) {
      memory.put("source", texts.text("source", source));
    }
    ArrayNode tags = RecordJson.object().putArray("tags");
    for (JsonNode tag : memory.path("tags")) {
      tags.add(tag(tag.asText()));
    }
    memory.set("tags", tags);
  }

  private String tag(String tag) {
    return Arrays.stream(tag.split("\\.", -1))
        .map(level -> "x" + hash.apply("tag " + level).substring(0, TAG_DIGITS))
        .collect(Collectors.joining("."));
  }
}
