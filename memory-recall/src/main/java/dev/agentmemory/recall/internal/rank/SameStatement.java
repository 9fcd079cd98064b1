package dev.agentmemory.recall.internal.rank;

import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.text.StatementIdentity;
import java.util.Optional;

/// Decides whether two memories state the same, so that one of them is enough.
///
/// Equal texts do. Others do if their vectors are near and they differ only in words that carry
/// nothing to tell two statements apart by ([StatementIdentity#ofCore]). Near vectors alone do not:
/// a model gives `PostgreSQL 16` and `PostgreSQL 17` nearly the same one. So two memories that
/// differ in a number, date, name, version, unit, negation or script are never one.
///
/// @param cosine vectors have to be nearer than this
public record SameStatement(double cosine) {

  public boolean test(MemoryEntry one, MemoryEntry other) {
    return isEqual(one.statement().exact(), other.statement().exact())
        || (isEqual(one.statement().core(), other.statement().core()) && isNear(one, other));
  }

  private static boolean isEqual(
      Optional<StatementIdentity> one, Optional<StatementIdentity> other) {
    return one.isPresent() && one.equals(other);
  }

  private boolean isNear(MemoryEntry one, MemoryEntry other) {
    if (one.vector().isEmpty() || other.vector().isEmpty()) {
      return false;
    }
    MemoryVector vector = one.vector().get();
    return vector.isComparable(other.vector().get())
        && vector.cosine(other.vector().get()) > cosine;
  }
}
