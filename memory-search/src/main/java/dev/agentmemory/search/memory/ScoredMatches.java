package dev.agentmemory.search.memory;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/// All documents that match a query, the best first. It takes memory for each match. The library's
/// collector of the best documents takes it for as many as are asked for, whether they match or
/// not.
final class ScoredMatches {

  private static final int FIRST_CAPACITY = 64;

  /// The bits of a score, which have the order of the scores because no score is negative, followed
  /// by a document. In ascending order.
  private final long[] ascending;

  private ScoredMatches(long[] ascending) {
    this.ascending = ascending;
  }

  static ScoredMatches of(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(query, new Manager());
  }

  int size() {
    return ascending.length;
  }

  /// @param rank 0 for the best
  float score(int rank) {
    return Float.intBitsToFloat((int) (at(rank) >>> Integer.SIZE));
  }

  /// @param rank 0 for the best
  int doc(int rank) {
    return (int) at(rank);
  }

  private long at(int rank) {
    return ascending[ascending.length - 1 - rank];
  }

  private static final class Matches extends SimpleCollector {

    private long[] values = new long[FIRST_CAPACITY];
    private int count;
    private int base;
    private Optional<Scorable> scorer = Optional.empty();

    @Override
    protected void doSetNextReader(LeafReaderContext context) {
      base = context.docBase;
    }

    @Override
    public void setScorer(Scorable next) {
      scorer = Optional.of(next);
    }

    @Override
    public void collect(int doc) throws IOException {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      int score = Float.floatToIntBits(scorer.orElseThrow().score());
      values[count++] = (long) score << Integer.SIZE | (base + doc);
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE;
    }
  }

  private static final class Manager implements CollectorManager<Matches, ScoredMatches> {

    @Override
    public Matches newCollector() {
      return new Matches();
    }

    @Override
    public ScoredMatches reduce(Collection<Matches> collectors) {
      long[] all =
          collectors.stream()
              .flatMapToLong(one -> Arrays.stream(one.values, 0, one.count))
              .toArray();
      Arrays.sort(all);
      return new ScoredMatches(all);
    }
  }
}
