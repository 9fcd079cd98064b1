package dev.agentmemory.agents.internal;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What a transcript said before, by short digests. Bounded: of more than [#MOST], the one that was
/// not met for longest is forgotten, and what it stands for counts as met for the first time again.
public final class Occurrences {

  /// More than the turns and tool calls of a session that goes on for weeks, each of which takes up
  /// to two. As a list in JSON these are 480 KiB.
  public static final int MOST = 1 << 15;

  private final Set<String> seen;

  /// @param known what [#known] gave
  public Occurrences(Collection<String> known) {
    seen = new LinkedHashSet<>(known);
  }

  /// Whether something is met for the first time.
  public boolean isFirst(String... parts) {
    String brief = EventIdentity.brief(parts);
    boolean first = !seen.remove(brief);
    seen.add(brief);
    if (seen.size() > MOST) {
      seen.remove(seen.iterator().next());
    }
    return first;
  }

  /// The digests, the one that was not met for longest first.
  public List<String> known() {
    return List.copyOf(seen);
  }
}
