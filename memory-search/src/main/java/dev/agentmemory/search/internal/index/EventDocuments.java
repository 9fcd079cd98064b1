package dev.agentmemory.search.internal.index;

import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.text.Traits;
import dev.agentmemory.search.internal.time.DateWords;
import dev.agentmemory.text.Speakers;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BytesRef;

/// Makes documents of events. The text itself is not kept: answers quote the log.
public final class EventDocuments {

  public static final String KIND = "event";

  /// The one value of its field.
  public static final String SPOKEN = "yes";

  /// Tags in an event's metadata, separated by commas.
  static final String TAGS = "tags";

  /// As much of a text as is indexed, in UTF-16 units: what comes later in a very long tool result
  /// is rarely what is looked for, and would make the index larger than the log.
  public static final int MAX_TEXT = 32_768;

  /// Whether a term occurs, nothing else.
  private static final FieldType EXACT = exact();

  private final DateWords dates;

  public EventDocuments(DateWords dates) {
    this.dates = dates;
  }

  private static FieldType exact() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setOmitNorms(true);
    type.setTokenized(true);
    type.freeze();
    return type;
  }

  static Term term(String uid) {
    return new Term(Fields.UID, uid);
  }

  /// The field of exact terms.
  static Field identifiers(String text) {
    return new Field(Fields.EXACT, text, EXACT);
  }

  /// As much of a text as is indexed.
  static String indexed(String text) {
    return text.substring(0, Math.min(MAX_TEXT, text.length()));
  }

  /// Writes the document of an event.
  ///
  /// @param vector its embedding, and the field for it
  public void put(Generation generation, Event event, Optional<Vector> vector) {
    generation.put(event.id().value(), of(event, vector));
  }

  private Document of(Event event, Optional<Vector> vector) {
    String uid = event.id().value();
    String text = indexed(event.text());
    String speaker = Speakers.of(event);
    Document document = new Document();
    document.add(new StringField(Fields.UID, uid, Field.Store.NO));
    document.add(new BinaryDocValuesField(Fields.UID, new BytesRef(uid)));
    document.add(new StringField(Fields.KIND, KIND, Field.Store.NO));
    event.id().workspace().ifPresent(owner -> document.add(word(Fields.OWNER, owner.value())));
    document.add(new StringField(Fields.SESSION, event.session().value(), Field.Store.NO));
    document.add(new SortedDocValuesField(Fields.SESSION, new BytesRef(event.session().value())));
    document.add(new StringField(Fields.ROLE, role(event.role()), Field.Store.NO));
    event.agent().ifPresent(agent -> document.add(word(Fields.AGENT, agent)));
    for (String tag : event.metadata().getOrDefault(TAGS, "").split(",", -1)) {
      if (!tag.isBlank()) {
        document.add(word(Fields.TAG, tag.strip()));
      }
    }
    document.add(new LongPoint(Fields.TIME, event.timestamp().toEpochMilli()));
    document.add(new NumericDocValuesField(Fields.TIME, event.timestamp().toEpochMilli()));
    document.add(new NumericDocValuesField(Fields.TEXT, fingerprint(text)));
    document.add(
        new NumericDocValuesField(
            Fields.TRAITS, Traits.of(Speakers.isNamed(event), event.role(), text).packed()));
    document.add(new SortedDocValuesField(Fields.SPEAKER, new BytesRef(lower(speaker))));
    document.add(
        new TextField(
            Fields.WORDS,
            speaker + ": " + text + "\n" + dates.of(event.timestamp()),
            Field.Store.NO));
    document.add(identifiers(text));
    if (!text.isBlank()) {
      document.add(new StringField(Fields.SPOKEN, SPOKEN, Field.Store.NO));
    }
    vector.ifPresent(found ->
        document.add(
            new KnnFloatVectorField(
                found.field(), found.values(), VectorSimilarityFunction.DOT_PRODUCT)));
    return document;
  }

  /// What tells the text of an event from others, as it is indexed.
  public static long fingerprint(Event event) {
    return fingerprint(indexed(event.text()));
  }

  /// Equal for texts that differ in case, spaces and punctuation only; 0 for a text without words.
  static long fingerprint(String text) {
    long hash = 0;
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      if (Character.isLetterOrDigit(point)) {
        hash = (hash ^ Character.toLowerCase(point)) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
      }
    }
    return hash;
  }

  public static String role(EventRole role) {
    return lower(role.name());
  }

  static Field word(String field, String value) {
    return new StringField(field, cut(value), Field.Store.NO);
  }

  /// Maximum length of a term; longer values are not names.
  public static String cut(String value) {
    return value.substring(0, Math.min(1024, value.length()));
  }

  public static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /// An embedding, and the field of its model: vectors of two models stand in two fields, so one
  /// can take the other's place while both are there.
  public static final class Vector {
    private final String field;
    private final float[] values;

    /// @param values not copied
    public Vector(String field, float[] values) {
      this.field = field;
      this.values = values;
    }

    public static String field(Embedder embedder) {
      return Fields.VECTOR + '.' + embedder.dimension() + '.' + embedder.model();
    }

    public String field() {
      return field;
    }

    public float[] values() {
      return values;
    }
  }

  /// Where the event stands, by its id in the index.
  public static EventKey key(long time, String uid) {
    return new EventKey(Instant.ofEpochMilli(time), new EventId(uid));
  }
}
