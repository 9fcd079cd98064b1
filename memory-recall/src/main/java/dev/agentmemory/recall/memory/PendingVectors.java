package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The vectors of the memories of a collection: computed later for memories, and at once for
/// queries.
final class PendingVectors {

  private static final Logger LOG = LoggerFactory.getLogger(PendingVectors.class);

  /// Memories that are embedded at once.
  private static final int BATCH = 50;

  /// A star anywhere, or a question mark inside a word: the query means characters, not a meaning.
  private static final Pattern WILDCARD = Pattern.compile("\\*|\\?(?=[\\p{L}\\p{N}])");

  private final MemoryCollection memories;
  private final MemoryEmbedder embedder;

  PendingVectors(MemoryCollection memories, MemoryEmbedder embedder) {
    this.memories = memories;
    this.embedder = embedder;
  }

  long pending() {
    return waiting(embedder.model()).size();
  }

  private List<MemoryEntry> waiting(Optional<String> model) {
    MemoryTable table = memories.table();
    try (var _ = table.reading()) {
      return table.entries().stream().filter(entry -> isPending(entry, model)).toList();
    }
  }

  /// Whether a memory waits for its vector.
  boolean isPending(MemoryEntry entry) {
    return isPending(entry, embedder.model());
  }

  private static boolean isPending(MemoryEntry entry, Optional<String> model) {
    return entry.embedding(model) == EmbeddingState.PENDING;
  }

  /// Embeds the latest that wait.
  ///
  /// @return how many
  int embed() {
    Optional<String> model = embedder.model();
    if (model.isEmpty()) {
      return 0;
    }
    List<MemoryRecord> batch =
        waiting(model).stream()
            .sorted(MemoryEntry.LATEST_FIRST)
            .limit(BATCH)
            .map(memories::read)
            .flatMap(Optional::stream)
            .toList();
    if (batch.isEmpty()) {
      return 0;
    }
    List<float[]> computed =
        embedder.embed(batch.stream().map(memory -> memory.content().text()).toList());
    if (computed.size() != batch.size()) {
      throw new MemoryException(
          ErrorCode.INTERNAL,
          "%d texts have %d vectors (model %s)"
              .formatted(batch.size(), computed.size(), model.get()));
    }
    List<MemoryVector> vectors = new ArrayList<>();
    computed.forEach(values -> vectors.add(new MemoryVector(model.get(), values)));
    return store(batch, vectors);
  }

  private int store(List<MemoryRecord> embedded, List<MemoryVector> vectors) {
    try (var _ = memories.exclusive()) {
      var batch = new MemoryBatch();
      int count = 0;
      for (int i = 0; i < embedded.size(); i++) {
        MemoryRecord memory = embedded.get(i);
        if (isUnchanged(memory)) {
          batch.vector(memory.id(), vectors.get(i));
          count++;
        }
      }
      memories.commit(batch);
      return count;
    }
  }

  /// Whether a memory still says what was embedded: the model was asked without a lock.
  private boolean isUnchanged(MemoryRecord memory) {
    return memories
        .table()
        .entry(memory.id())
        .flatMap(memories::read)
        .map(now -> now.content().text().equals(memory.content().text()))
        .orElse(false);
  }

  /// Whether the vector of a query is of use: not without a provider or where no memory that is
  /// allowed has a vector of its model, and not of a query with wildcards.
  boolean asksFor(String query, Predicate<MemoryEntry> allowed) {
    Optional<String> model = embedder.model();
    return model.isPresent() && !WILDCARD.matcher(query).find() && hasAny(model, allowed);
  }

  private boolean hasAny(Optional<String> model, Predicate<MemoryEntry> allowed) {
    MemoryTable table = memories.table();
    try (var _ = table.reading()) {
      return table.entries().stream()
          .anyMatch(entry -> entry.embedding(model) == EmbeddingState.READY && allowed.test(entry));
    }
  }

  /// Begins to compute the vector of a query.
  ///
  /// @return waits for the vector; empty without a provider and when it cannot be asked now
  Supplier<Optional<MemoryVector>> beginQuery(String query) {
    Optional<String> model = embedder.model();
    if (model.isEmpty()) {
      return Optional::empty;
    }
    Supplier<float[]> vector = embedder.beginQuery(query);
    return () -> available(model.get(), vector);
  }

  private static Optional<MemoryVector> available(String model, Supplier<float[]> vector) {
    try {
      return Optional.of(new MemoryVector(model, vector.get()));
    } catch (MemoryException e) {
      if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
        throw e;
      }
      LOG.debug("a search of memories uses words only: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
