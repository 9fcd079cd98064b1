package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryId;
import java.util.Set;

/// A stored memory.
///
/// @param source who made it, such as `user`, `extraction` or `consolidation`
/// @param importance 0 to 1, as it was set
/// @param pinned whether compaction and caps leave it alone, and consolidation does nothing to it
///   but make it long-term
/// @param validity when it was true
/// @param use how it was read; outside the checksum
/// @param embedding whether it has a vector; outside the checksum
/// @param checksum `sha256:` and 64 hexadecimal digits over the canonical form, which
///   docs/memories.md defines
public record MemoryRecord(
    MemoryId id,
    MemoryPlace place,
    MemoryLifetime lifetime,
    MemoryKind kind,
    String source,
    MemoryContent content,
    double importance,
    boolean pinned,
    Set<Tag> tags,
    MemoryLinks links,
    Validity validity,
    MemoryUse use,
    EmbeddingState embedding,
    String checksum) {

  public MemoryRecord {
    tags = Set.copyOf(tags);
  }

  /// Whether a later memory has replaced what it says.
  public boolean isSuperseded() {
    return validity.supersededBy().isPresent();
  }

  public MemoryRecord withUse(MemoryUse changed) {
    return new MemoryRecord(
        id,
        place,
        lifetime,
        kind,
        source,
        content,
        importance,
        pinned,
        tags,
        links,
        validity,
        changed,
        embedding,
        checksum);
  }

  /// The same with a checksum that does not fit any more.
  public MemoryRecord withPlace(MemoryPlace changed) {
    return new MemoryRecord(
        id,
        changed,
        lifetime,
        kind,
        source,
        content,
        importance,
        pinned,
        tags,
        links,
        validity,
        use,
        embedding,
        checksum);
  }

  /// The same with a checksum that does not fit any more.
  public MemoryRecord withPinned(boolean changed) {
    return new MemoryRecord(
        id,
        place,
        lifetime,
        kind,
        source,
        content,
        importance,
        changed,
        tags,
        links,
        validity,
        use,
        embedding,
        checksum);
  }

  /// The same with a checksum that does not fit any more.
  public MemoryRecord withValidity(Validity changed) {
    return new MemoryRecord(
        id,
        place,
        lifetime,
        kind,
        source,
        content,
        importance,
        pinned,
        tags,
        links,
        changed,
        use,
        embedding,
        checksum);
  }

  public MemoryRecord withEmbedding(EmbeddingState changed) {
    return new MemoryRecord(
        id,
        place,
        lifetime,
        kind,
        source,
        content,
        importance,
        pinned,
        tags,
        links,
        validity,
        use,
        changed,
        checksum);
  }

  public MemoryRecord withChecksum(String changed) {
    return new MemoryRecord(
        id,
        place,
        lifetime,
        kind,
        source,
        content,
        importance,
        pinned,
        tags,
        links,
        validity,
        use,
        embedding,
        changed);
  }

  /// Whether a memory has a vector.
  public enum EmbeddingState {
    /// The backfill job will compute one.
    PENDING,
    READY,
    /// It gets none: it belongs to the account, or no provider of embeddings is configured.
    NONE
  }
}
