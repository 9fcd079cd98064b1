package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.OwnStatistics;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;

/// What each term of a query weighs in a field: the rarer it is, the more (the inverse document
/// frequency of BM25).
final class QueryWeights {

  private final double[] weights;
  private final double total;
  private final double averageLength;

  QueryWeights(IndexSearcher searcher, String field, List<String> terms) throws IOException {
    CollectionStatistics all = searcher.collectionStatistics(field);
    double documents = all == null ? 1 : all.docCount();
    averageLength = all == null ? 1 : all.sumTotalTermFreq() / documents;
    weights = new double[terms.size()];
    double sum = 0;
    for (int t = 0; t < weights.length; t++) {
      double having = OwnStatistics.having(searcher, new Term(field, terms.get(t)));
      weights[t] = Math.log(1 + (documents - having + 0.5) / (having + 0.5));
      sum += weights[t];
    }
    total = sum;
  }

  /// Number of terms.
  int size() {
    return weights.length;
  }

  /// Terms that a document has on average.
  double averageLength() {
    return averageLength;
  }

  /// What a weight is of that of all terms, 0 to 1.
  double share(double weight) {
    return total == 0 ? 0 : Math.min(1, weight / total);
  }

  /// BM25 of a text.
  ///
  /// @param counts how often it has each term
  /// @param length terms it has
  /// @param usual terms that such a text has on average
  double bm25(float[] counts, double length, double usual) {
    double sum = 0;
    for (int t = 0; t < weights.length; t++) {
      if (counts[t] > 0) {
        double norm = Generation.K1 * (1 - Generation.B + Generation.B * length / usual);
        sum += weights[t] * counts[t] / (counts[t] + norm);
      }
    }
    return sum;
  }

  /// What part of the weight of all terms a text has, 0 to 1.
  ///
  /// @param counts how often it has each term
  double cover(float[] counts) {
    double held = 0;
    for (int t = 0; t < weights.length; t++) {
      held += counts[t] > 0 ? weights[t] : 0;
    }
    return share(held);
  }
}
