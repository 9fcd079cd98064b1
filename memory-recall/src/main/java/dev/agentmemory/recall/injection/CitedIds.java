package dev.agentmemory.recall.injection;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The citations of a text: `[mem:ID]`, `[evt:ID]`, `[grip:TIME:ID]` and `[toc:NODE]`.
public final class CitedIds {

  /// Finds them in texts, too, that are no documents of ours.
  static final Pattern CITATION =
      Pattern.compile("\\[((?:mem|evt|grip|toc):[^\\[\\]\\s]{1,200})\\]");

  private static final String MEMORY = "mem:";
  private static final String EVENT = "evt:";
  private static final String GRIP = "grip:";

  private CitedIds() {}

  /// The ids that a text cites, in its order, each once, with what kind they are of.
  public static List<String> of(String text) {
    Set<String> found = new LinkedHashSet<>();
    Matcher matcher = CITATION.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return new ArrayList<>(found);
  }

  /// The event of a citation; empty when it is of something else.
  public static Optional<EventId> event(String citation) {
    return of(EVENT, citation, EventId::new);
  }

  /// The memory of a citation; empty when it is of something else.
  public static Optional<MemoryId> memory(String citation) {
    return of(MEMORY, citation, MemoryId::of);
  }

  /// The grip of a citation; empty when it is of something else.
  public static Optional<GripId> grip(String citation) {
    return citation.startsWith(GRIP) && GripId.isValid(citation)
        ? Optional.of(new GripId(citation))
        : Optional.empty();
  }

  /// The node of a citation; empty when it is of something else.
  public static Optional<NodeId> node(String citation) {
    return NodeId.parse(citation);
  }

  /// The part of a citation by which an answer names it: without its kind where that is not a part
  /// of the id.
  static String bare(String citation) {
    return citation.startsWith(MEMORY)
        ? citation.substring(MEMORY.length())
        : citation.startsWith(EVENT) ? citation.substring(EVENT.length()) : citation;
  }

  /// What looks like a citation and has no valid id cites nothing.
  private static <T> Optional<T> of(String kind, String citation, Form<T> form) {
    if (!citation.startsWith(kind)) {
      return Optional.empty();
    }
    try {
      return Optional.of(form.of(citation.substring(kind.length())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private interface Form<T> {
    T of(String text);
  }
}
