package dev.agentmemory.recall;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.types.MemoryId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// Finds memories by their words. It is derived data: it can be built again from the memories at
/// any time. All methods may be called from any thread. Changes are visible to every [#match] that
/// begins afterwards; they are durable after [#commit] only.
public interface WordIndex extends AutoCloseable {

  /// What is indexed of a memory.
  ///
  /// @param text what it says, with the texts of its structure
  record Doc(MemoryId id, String text, Set<Tag> tags) {

    public Doc {
      tags = Set.copyOf(tags);
    }
  }

  /// Finds memories with words of a query, the best first.
  ///
  /// @param query any text, with `*` and `?` as wildcards in words. No character makes it invalid
  /// @param allowed which memories may be found
  /// @param limit at most that many, 1 and up
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be read
  ///   or has lost changes; the caller clears and builds it again
  List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit);

  /// Adds memories; one with a known id replaces the former.
  void put(List<Doc> docs);

  /// The same for many rows that are read meanwhile.
  ///
  /// @param read reads a row; empty: it is passed over. May be called by several threads at once
  /// @return how many were added
  default <T> long put(List<T> rows, Function<T, Optional<Doc>> read) {
    List<Doc> docs = rows.stream().flatMap(row -> read.apply(row).stream()).toList();
    put(docs);
    return docs.size();
  }

  /// Removes memories. An unknown id has no effect.
  void remove(Collection<MemoryId> ids);

  /// Removes all memories.
  void clear();

  /// Makes all changes durable, and writes the files anew that have memories which were removed or
  /// replaced.
  ///
  /// @return whether nothing of these is left, as in an index without files; else a query that has
  ///   begun before still reads former files, and the caller calls again
  default boolean purge() {
    return true;
  }

  /// The revision of the last [#commit]; 0 before the first, and when the index was cleared, begun
  /// anew or has lost changes.
  long revision();

  /// Makes all changes durable.
  ///
  /// @param revision of the memories that it contains. When [#revision] is another one after a
  ///   restart, the caller builds the index again
  void commit(long revision);

  @Override
  void close();
}
