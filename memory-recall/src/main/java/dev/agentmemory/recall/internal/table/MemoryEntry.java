package dev.agentmemory.recall.internal.table;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.types.MemoryId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A memory without what it says.
///
/// @param references other memories
/// @param bytes of its row
/// @param statement identifies what it says
/// @param vector of what it says; empty when it has none yet
public record MemoryEntry(
    MemoryId id,
    MemoryPlace place,
    MemoryLifetime lifetime,
    MemoryKind kind,
    String source,
    double importance,
    boolean pinned,
    Set<Tag> tags,
    List<MemoryId> references,
    Validity validity,
    MemoryUse use,
    int bytes,
    MemoryStatement statement,
    Optional<MemoryVector> vector) {

  /// The latest first; of one time the one with the larger id.
  public static final Comparator<MemoryEntry> LATEST_FIRST =
      Comparator.comparing((MemoryEntry entry) -> entry.validity().created())
          .thenComparing(MemoryEntry::id)
          .reversed();

  /// @param bytes of its row
  public static MemoryEntry of(MemoryRecord memory, int bytes) {
    return of(memory, bytes, MemoryStatement.of(memory.content().text()));
  }

  /// @param bytes of its row
  /// @param statement of its text, computed before
  public static MemoryEntry of(MemoryRecord memory, int bytes, MemoryStatement statement) {
    return new MemoryEntry(
        memory.id(),
        memory.place(),
        memory.lifetime(),
        memory.kind(),
        // Thousands of memories have the same one.
        memory.source().intern(),
        memory.importance(),
        memory.pinned(),
        memory.tags(),
        memory.links().references(),
        memory.validity(),
        memory.use(),
        bytes,
        statement,
        Optional.empty());
  }

  MemoryEntry withPlace(MemoryPlace changed) {
    return new MemoryEntry(
        id,
        changed,
        lifetime,
        kind,
        source,
        importance,
        pinned,
        tags,
        references,
        validity,
        use,
        bytes,
        statement,
        vector);
  }

  public MemoryEntry withUse(MemoryUse changed) {
    return new MemoryEntry(
        id,
        place,
        lifetime,
        kind,
        source,
        importance,
        pinned,
        tags,
        references,
        validity,
        changed,
        bytes,
        statement,
        vector);
  }

  public MemoryEntry withVector(Optional<MemoryVector> changed) {
    return new MemoryEntry(
        id,
        place,
        lifetime,
        kind,
        source,
        importance,
        pinned,
        tags,
        references,
        validity,
        use,
        bytes,
        statement,
        changed);
  }

  public MemoryScope scope() {
    return place.scope();
  }

  /// Whether caps and compaction leave it alone.
  public boolean isExempt() {
    return isExempt(pinned, kind);
  }

  public static boolean isExempt(boolean pinned, MemoryKind kind) {
    return pinned || kind == MemoryKind.PREFERENCE;
  }

  /// Whether it states something that a later memory can replace. What was said in a conversation
  /// stays what was said.
  public boolean isStatement() {
    return kind != MemoryKind.CONVERSATION && statement.words().isPresent();
  }

  /// Whether a later memory has replaced what it says.
  public boolean isSuperseded() {
    return validity.supersededBy().isPresent();
  }

  /// @param model of the vectors that are in use; empty when there is no provider
  public EmbeddingState embedding(Optional<String> model) {
    if (scope() == MemoryScope.ACCOUNT) {
      return EmbeddingState.NONE;
    }
    boolean ready =
        vector.isPresent() && model.map(name -> vector.get().model().equals(name)).orElse(true);
    if (ready) {
      return EmbeddingState.READY;
    }
    return model.isPresent() ? EmbeddingState.PENDING : EmbeddingState.NONE;
  }
}
