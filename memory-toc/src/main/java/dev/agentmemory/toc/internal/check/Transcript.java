package dev.agentmemory.toc.internal.check;

import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.extractive.Highlight;
import dev.agentmemory.types.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A passage and how a model may read it: secrets are masked once, and what it states is weighed
/// once, when first needed. For one thread.
public final class Transcript {

  private final SegmentText passage;
  private final SegmentText masked;
  private @Nullable List<Highlight> highlights;

  public Transcript(SegmentText passage, UnaryOperator<String> mask) {
    this.passage = passage;
    this.masked =
        new SegmentText(
            passage.events().stream().map(event -> masked(event, mask)).toList(),
            passage.overlap().stream().map(event -> masked(event, mask)).toList());
  }

  /// As it is stored.
  SegmentText passage() {
    return passage;
  }

  /// With secrets masked, also in the names of who speaks.
  public SegmentText masked() {
    return masked;
  }

  public boolean isEmpty() {
    return masked.events().stream().allMatch(event -> event.text().isBlank());
  }

  /// What the masked passage states.
  public List<Highlight> highlights() {
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
