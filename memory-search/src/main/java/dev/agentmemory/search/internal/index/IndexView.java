package dev.agentmemory.search.internal.index;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// What is visible of an index. Any thread may read it.
public final class IndexView {

  private final ActiveGenerations generations;
  private final Optional<WorkspaceName> owner;
  private volatile @Nullable Share share;

  /// What part of the events has a vector.
  ///
  /// @param reader stands for what was visible then
  private record Share(Object reader, String field, double value) {}

  public IndexView(ActiveGenerations generations) {
    this(generations, Optional.empty());
  }

  private IndexView(ActiveGenerations generations, Optional<WorkspaceName> owner) {
    this.generations = generations;
    this.owner = owner;
  }

  /// The same for one of several workspaces that share the index. It scores by this one's
  /// documents; a reading still has to ask for no others.
  public IndexView of(WorkspaceName workspace) {
    return new IndexView(generations, Optional.of(workspace));
  }

  /// Whether the index was made from the whole log.
  public boolean isComplete() {
    return generations.isComplete();
  }

  /// Reads what is visible, after making visible what is overdue, if that can be done.
  public <T> T read(Generation.Reading<T> reading) {
    return owner.isEmpty()
        ? generations.read(reading)
        : generations.read(all -> reading.with(new OwnStatistics(all, owner.get())));
  }

  /// What part of the events with text has a vector in a field, 0 to 1. Counting takes a moment, so
  /// it is done once for what is visible.
  public double share(String field) {
    return read(searcher -> {
      Object reader = searcher.getIndexReader().getReaderCacheHelper().getKey();
      Share known = share;
      if (known == null || !known.reader().equals(reader) || !known.field().equals(field)) {
        int spoken = Vectors.spoken(searcher);
        double value = spoken == 0 ? 1 : (double) Vectors.count(searcher, field) / spoken;
        known = new Share(reader, field, value);
        share = known;
      }
      return known.value();
    });
  }

  /// How the index is now. Counts take a moment.
  ///
  /// @param embedder whose vectors to count
  /// @param head of the outbox
  /// @param rebuilt how much of a rebuild that runs is done
  public SearchReport report(Optional<Embedder> embedder, long head, Optional<Double> rebuilt) {
    Optional<String> field = Optional.empty();
    Optional<String> unknown = Optional.empty();
    try {
      field = embedder.map(EventDocuments.Vector::field);
    } catch (MemoryException e) {
      // The dimension is unknown until the server has answered once.
      unknown = Optional.ofNullable(e.getMessage());
    }
    Optional<String> having = field;
    Optional<String> waitsFor = unknown;
    return read(searcher -> {
      long vectors = having.isEmpty() ? 0 : Vectors.count(searcher, having.get());
      return new SearchReport(
          Math.max(0, head - generations.cursor()),
          count(searcher, EventDocuments.KIND),
          count(searcher, NodeDocuments.SEGMENT) + count(searcher, NodeDocuments.ROLLUP),
          vectors,
          embedder.isEmpty() ? 0 : Math.max(0, Vectors.spoken(searcher) - vectors),
          embedder.map(Embedder::model),
          generations.bytes(),
          rebuilt,
          isComplete(),
          waitsFor);
    });
  }

  private static long count(IndexSearcher searcher, String kind) throws IOException {
    return searcher.count(new TermQuery(new Term(Fields.KIND, kind)));
  }
}
