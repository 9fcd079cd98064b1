package dev.agentmemory.agents.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What a transcript said before, by short digests. Bounded: of more than [#MOST], the one that was
/// not met for longest is forgotten.
public final class Occurrences {

  public static final int MOST = 512;

  private final Set<String> seen = new LinkedHashSet<>();

  public Occurrences(Collection<String> known) {
    seen.addAll(known);
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

  public List<String> known() {
    return new ArrayList<>(seen);
  }
}
