package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What changes in a stored memory; what is absent stays. The former state is kept in the history
/// of the memory.
public record MemoryUpdate(
    Optional<MemoryContent> content,
    Optional<Double> importance,
    Optional<MemoryLifetime> lifetime,
    Optional<MemoryKind> kind,
    Optional<Set<Tag>> tags,
    Optional<List<MemoryId>> references) {

  public static final MemoryUpdate NONE =
      new MemoryUpdate(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /// @throws MemoryException `INVALID_FIELD` naming `importance` or `tags`
  public MemoryUpdate {
    importance.ifPresent(MemoryDraft::checkImportance);
    tags.ifPresent(MemoryDraft::checkTags);
    tags = tags.map(Set::copyOf);
    references = references.map(List::copyOf);
  }

  /// Whether nothing changes.
  public boolean isEmpty() {
    return equals(NONE);
  }

  public MemoryUpdate withContent(MemoryContent changed) {
    return new MemoryUpdate(Optional.of(changed), importance, lifetime, kind, tags, references);
  }

  public MemoryUpdate withImportance(double changed) {
    return new MemoryUpdate(content, Optional.of(changed), lifetime, kind, tags, references);
  }

  public MemoryUpdate withLifetime(MemoryLifetime changed) {
    return new MemoryUpdate(content, importance, Optional.of(changed), kind, tags, references);
  }

  public MemoryUpdate withKind(MemoryKind changed) {
    return new MemoryUpdate(content, importance, lifetime, Optional.of(changed), tags, references);
  }

  public MemoryUpdate withTags(Set<Tag> changed) {
    return new MemoryUpdate(content, importance, lifetime, kind, Optional.of(changed), references);
  }

  public MemoryUpdate withReferences(List<MemoryId> changed) {
    return new MemoryUpdate(content, importance, lifetime, kind, tags, Optional.of(changed));
  }
}
