package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.summary.Highlight;
import dev.agentmemory.toc.summary.Passage;
import dev.agentmemory.types.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A passage and how a model may read it: secrets are masked once, and what it states is weighed
/// once, when somebody wants to know. For one thread.
final class Transcript {

  private final Passage passage;
  private final Passage masked;
  private @Nullable List<Highlight> highlights;

  Transcript(Passage passage, UnaryOperator<String> mask) {
    this.passage = passage;
    this.masked =
        new Passage(
            passage.events().stream().map(event -> masked(event, mask)).toList(),
            passage.overlap().stream().map(event -> masked(event, mask)).toList());
  }

  /// As it is stored.
  Passage passage() {
    return passage;
  }

  /// With secrets masked, also in the names of who speaks.
  Passage masked() {
    return masked;
  }

  boolean isEmpty() {
    return masked.events().stream().allMatch(event -> event.text().isBlank());
  }

  /// What the masked passage states.
  List<Highlight> highlights() {
    List<Highlight> known = highlights;
    if (known == null) {
      known = Highlight.of(masked);
      highlights = known;
    }
    return known;
  }

  private static Event masked(Event event, UnaryOperator<String> mask) {
    String text = mask.apply(event.text());
    Map<String, String> metadata = new LinkedHashMap<>(event.metadata());
    metadata.replaceAll((_, value) -> mask.apply(value));
    return text.equals(event.text()) && metadata.equals(event.metadata())
        ? event
        : event.withContent(text, metadata);
  }
}
