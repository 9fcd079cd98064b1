package dev.agentmemory.search.internal.index;

import java.util.Collection;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;

/// Makes documents of curated memories.
public final class MemoryDocuments {

  private static final char LEVEL = '.';

  private MemoryDocuments() {}

  /// @param tags levels separated by dots; each level stands in the document, so that a tag finds
  ///   what is below it
  public static Document of(String uid, String text, Collection<String> tags) {
    String indexed = EventDocuments.indexed(text);
    Document document = new Document();
    document.add(new StringField(Fields.UID, uid, Field.Store.NO));
    document.add(new BinaryDocValuesField(Fields.UID, new BytesRef(uid)));
    var words = new StringBuilder(indexed);
    for (String tag : tags) {
      for (int end = tag.indexOf(LEVEL); end >= 0; end = tag.indexOf(LEVEL, end + 1)) {
        document.add(EventDocuments.word(Fields.TAG, tag.substring(0, end)));
      }
      document.add(EventDocuments.word(Fields.TAG, tag));
      words.append('\n').append(tag.replace(LEVEL, ' '));
    }
    document.add(new TextField(Fields.WORDS, words.toString(), Field.Store.NO));
    document.add(EventDocuments.identifiers(indexed));
    return document;
  }
}
