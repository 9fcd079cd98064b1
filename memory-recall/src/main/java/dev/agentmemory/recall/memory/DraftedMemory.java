package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.table.NewMemory;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;

/// A draft in the form in which it would be stored.
///
/// @param index in its call
/// @param draft as it was sent; what it leaves open does not make a difference
record DraftedMemory(int index, MemoryDraft draft, NewMemory made) {

  MemoryRow row() {
    return made.row();
  }

  MemoryRecord memory() {
    return row().memory();
  }

  MemoryId id() {
    return memory().id();
  }

  /// The same draft as another memory; itself if that is the one that it would be stored as.
  DraftedMemory with(MemoryRecord memory) {
    return memory.equals(memory())
        ? this
        : new DraftedMemory(
            index, draft, NewMemory.of(MemoryJson.CURRENT.row(memory), made.isDrawn()));
  }

  /// The path of a field of a draft.
  static String field(int index, String name) {
    return "memories[%d].%s".formatted(index, name);
  }

  MemoryException invalid(String field, String message) {
    return MemoryException.invalid(field(index, field), message);
  }

  /// Whether a stored memory is what the draft asks for. What upkeep and reads change in a memory
  /// does not count.
  boolean isSameAs(MemoryRecord stored) {
    MemoryRecord mine = memory();
    boolean samePlace =
        mine.place().scope() == stored.place().scope()
            && mine.place().session().equals(stored.place().session())
            && (draft.place().channel().isEmpty()
                || draft.place().channel().equals(stored.place().channel()));
    boolean sameTime =
        draft.created().isEmpty() || mine.validity().created().equals(stored.validity().created());
    return samePlace
        && sameTime
        && mine.lifetime() == stored.lifetime()
        && mine.kind() == stored.kind()
        && (draft.source().isEmpty() || mine.source().equals(stored.source()))
        && mine.content().equals(stored.content())
        && mine.importance() == stored.importance()
        && mine.tags().equals(stored.tags())
        && mine.links().equals(stored.links());
  }
}
