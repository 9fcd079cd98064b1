package dev.agentmemory.search.internal.index;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.Optional;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;

/// Makes documents of nodes of the table of contents.
public final class NodeDocuments {

  public static final String SEGMENT = "segment";
  public static final String ROLLUP = "rollup";

  private NodeDocuments() {}

  public static Document of(TocNode node, Optional<SessionId> session) {
    String uid = node.id().value();
    Document document = new Document();
    document.add(new StringField(Fields.UID, uid, Field.Store.NO));
    document.add(new BinaryDocValuesField(Fields.UID, new BytesRef(uid)));
    document.add(new StringField(Fields.KIND, kind(node.level()), Field.Store.NO));
    node.id()
        .workspace()
        .ifPresent(owner -> document.add(EventDocuments.word(Fields.OWNER, owner.value())));
    document.add(new StringField(Fields.LEVEL, level(node.level()), Field.Store.NO));
    session.ifPresent(
        found -> document.add(new StringField(Fields.PART, found.value(), Field.Store.NO)));
    long start = node.span().start().toEpochMilli();
    long end = node.span().end().toEpochMilli();
    document.add(new LongPoint(Fields.TIME, start));
    document.add(new NumericDocValuesField(Fields.TIME, start));
    document.add(new LongPoint(Fields.END, end));
    document.add(new NumericDocValuesField(Fields.VERSION, fingerprint(node)));
    document.add(new TextField(Fields.SUMMARY, text(node), Field.Store.NO));
    return document;
  }

  public static String kind(TocLevel level) {
    return level == TocLevel.SEGMENT ? SEGMENT : ROLLUP;
  }

  public static String level(TocLevel level) {
    return EventDocuments.lower(level.name());
  }

  /// Tells whether a node is still what its document was made from: a provisional version is
  /// replaced without a new number.
  public static long fingerprint(TocNode node) {
    return (long) node.edition().version() << 32 | Integer.toUnsignedLong(text(node).hashCode());
  }

  /// Every word of a node.
  public static String text(TocNode node) {
    StringBuilder text = new StringBuilder(node.title());
    node.summary().ifPresent(summary -> text.append('\n').append(summary));
    for (Bullet bullet : node.bullets()) {
      text.append('\n').append(bullet.text());
    }
    return text.append('\n').append(String.join(", ", node.keywords())).toString();
  }
}
