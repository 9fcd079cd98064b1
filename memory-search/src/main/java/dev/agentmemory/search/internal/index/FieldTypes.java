package dev.agentmemory.search.internal.index;

import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;

/// How fields are indexed where Lucene has no type of its own for it.
final class FieldTypes {

  /// Whether a term occurs, nothing else.
  static final FieldType EXACT = exact();

  private FieldTypes() {}

  private static FieldType exact() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setOmitNorms(true);
    type.setTokenized(true);
    type.freeze();
    return type;
  }
}
