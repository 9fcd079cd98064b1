package dev.agentmemory.search.internal.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// Numbers for the values of a field that has no column: the only value of each document, read from
/// the lists of documents of its terms. Documents without a value have number 0.
final class TermNumbers {

  /// Values that get a number of their own; others have [#OTHER].
  static final int MOST = 10_000;

  static final short OTHER = MOST + 1;

  private final String field;
  private final Map<String, Short> numbers = new HashMap<>();
  private final List<String> values = new ArrayList<>();

  TermNumbers(String field) {
    this.field = field;
  }

  /// The value of a number between 1 and [#MOST].
  String value(int number) {
    return values.get(number - 1);
  }

  /// The numbers of a leaf's documents.
  short[] of(LeafReader leaf) throws IOException {
    short[] found = new short[leaf.maxDoc()];
    Terms terms = leaf.terms(field);
    if (terms == null) {
      return found;
    }
    TermsEnum each = terms.iterator();
    PostingsEnum docs = null;
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      short number = number(term.utf8ToString());
      docs = each.postings(docs, PostingsEnum.NONE);
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        found[doc] = number;
      }
    }
    return found;
  }

  private short number(String value) {
    Short known = numbers.get(value);
    if (known != null) {
      return known;
    }
    if (values.size() == MOST) {
      return OTHER;
    }
    values.add(value);
    numbers.put(value, (short) values.size());
    return (short) values.size();
  }
}
