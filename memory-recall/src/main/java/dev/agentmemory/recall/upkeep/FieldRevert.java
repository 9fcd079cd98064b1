package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Takes a run's change of a memory back that a caller has changed since: a merge of three states.
/// A field goes back if the run has changed it and it still has the run's value. From tags and links
/// those go that the run has added.
final class FieldRevert {

  private final MemoryRecord before;
  private final MemoryRecord after;
  private final MemoryRecord current;

  private FieldRevert(MemoryRecord before, MemoryRecord after, MemoryRecord current) {
    this.before = before;
    this.after = after;
    this.current = current;
  }

  static MemoryRecord of(MemoryRecord before, MemoryRecord after, MemoryRecord current) {
    return new FieldRevert(before, after, current).reverted();
  }

  private MemoryRecord reverted() {
    return MergeFields.copy(
        current,
        field(MemoryRecord::lifetime),
        new MemoryContent(
            current.content().text(), this.<Optional<String>>field(m -> m.content().json())),
        field(MemoryRecord::importance),
        tags(),
        new MemoryLinks(
            list(memory -> memory.links().references()),
            list(memory -> memory.links().events()),
            list(memory -> memory.links().grips())),
        validity());
  }

  private <T> T field(Function<MemoryRecord, T> of) {
    T now = of.apply(current);
    return now.equals(of.apply(after)) ? of.apply(before) : now;
  }

  private Set<Tag> tags() {
    List<Tag> tags = elements(MemoryRecord::tags, MemoryDraft.MAX_TAGS);
    return Set.copyOf(tags);
  }

  private <T> List<T> list(Function<MemoryRecord, List<T>> of) {
    return elements(of, MemoryLinks.MAX);
  }

  private <T> List<T> elements(Function<MemoryRecord, ? extends Collection<T>> of, int most) {
    Set<T> added = new HashSet<>(of.apply(after));
    added.removeAll(of.apply(before));
    Set<T> left = new LinkedHashSet<>(of.apply(current));
    left.removeAll(added);
    return left.stream().limit(most).toList();
  }

  private Validity validity() {
    Validity now = current.validity();
    Instant from = field(memory -> memory.validity().validFrom());
    boolean sameEnd =
        now.supersededBy().equals(after.validity().supersededBy())
            && now.supersededAt().equals(after.validity().supersededAt());
    Validity end = sameEnd ? before.validity() : now;
    return new Validity(
        now.created(), now.updated(), from, end.supersededAt(), end.supersededBy());
  }
}
