package dev.agentmemory.testkit.bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.TermVectorsReader;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Reads the segments of a Lucene index that have a file, whether or not a commit refers to them:
/// stored fields, terms and values of all documents, also of deleted ones.
final class LuceneSegments {

  private final Decoded decoded;
  private final Directory directory;
  private final Codec codec = Codec.getDefault();

  private LuceneSegments(Directory directory, Decoded decoded) {
    this.directory = directory;
    this.decoded = decoded;
  }

  /// Reads a segment.
  ///
  /// @param file the one that describes it
  static void read(Path file, Decoded decoded) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    try (Directory directory = FSDirectory.open(folder)) {
      new LuceneSegments(directory, decoded).segment(String.valueOf(file.getFileName()));
    } catch (RuntimeException e) {
      throw new IOException("the segment cannot be decoded: " + e, e);
    }
  }

  private void segment(String file) throws IOException {
    String name = IndexFileNames.parseSegmentName(file);
    SegmentInfo info = codec.segmentInfoFormat().read(directory, name, id(file), IOContext.DEFAULT);
    info.setCodec(codec);
    if (!info.getUseCompoundFile()) {
      segment(info, directory);
      return;
    }
    try (Directory compound = codec.compoundFormat().getCompoundReader(directory, info)) {
      segment(info, compound);
    }
  }

  /// The id that all files of a segment begin with.
  private byte[] id(String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      if (CodecUtil.readBEInt(in) != CodecUtil.CODEC_MAGIC) {
        throw new IOException("the file has no header");
      }
      in.readString();
      CodecUtil.readBEInt(in);
      byte[] id = new byte[StringHelper.ID_LENGTH];
      in.readBytes(id, 0, id.length);
      return id;
    }
  }

  private void segment(SegmentInfo info, Directory data) throws IOException {
    FieldInfos fields = codec.fieldInfosFormat().read(data, info, "", IOContext.DEFAULT);
    for (FieldInfo field : fields) {
      text("field", info.name, field.name);
    }
    stored(info, data, fields);
    var state = new SegmentReadState(data, info, fields, IOContext.DEFAULT);
    if (fields.hasPostings()) {
      try (FieldsProducer producer = codec.postingsFormat().fieldsProducer(state)) {
        terms("term", info, producer);
      }
    }
    if (fields.hasTermVectors()) {
      try (TermVectorsReader reader =
          codec.termVectorsFormat().vectorsReader(data, info, fields, IOContext.DEFAULT)) {
        for (int document = 0; document < info.maxDoc(); document++) {
          terms("term vector", info, reader.get(document));
        }
      }
    }
    if (fields.hasDocValues()) {
      try (DocValuesProducer producer = codec.docValuesFormat().fieldsProducer(state)) {
        for (FieldInfo field : fields) {
          values(info, producer, field);
        }
      }
    }
  }

  private void stored(SegmentInfo info, Directory data, FieldInfos fields) throws IOException {
    try (StoredFieldsReader reader =
        codec.storedFieldsFormat().fieldsReader(data, info, fields, IOContext.DEFAULT)) {
      for (int document = 0; document < info.maxDoc(); document++) {
        String place = "%s, document %d".formatted(info.name, document);
        reader.document(
            document,
            new StoredFieldVisitor() {
              @Override
              public Status needsField(FieldInfo field) {
                return Status.YES;
              }

              @Override
              public void stringField(FieldInfo field, String value) {
                text("stored field", place + ", " + field.name, value);
              }

              @Override
              public void binaryField(FieldInfo field, byte[] value) {
                decoded.bytes("stored field", place + ", " + field.name, value);
              }
            });
      }
    }
  }

  private void terms(String kind, SegmentInfo info, @Nullable Fields fields) throws IOException {
    if (fields == null) {
      return;
    }
    for (String field : fields) {
      Terms terms = fields.terms(field);
      if (terms != null) {
        terms(kind, info.name + ", " + field, terms.iterator());
      }
    }
  }

  private void terms(String kind, String place, TermsEnum terms) throws IOException {
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      bytes(kind, place, term);
    }
  }

  private void values(SegmentInfo info, DocValuesProducer producer, FieldInfo field)
      throws IOException {
    String place = info.name + ", " + field.name;
    switch (field.getDocValuesType()) {
      case BINARY -> {
        BinaryDocValues values = producer.getBinary(field);
        while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          bytes("value", place, values.binaryValue());
        }
      }
      case SORTED -> terms("value", place, producer.getSorted(field).termsEnum());
      case SORTED_SET -> terms("value", place, producer.getSortedSet(field).termsEnum());
      case NUMERIC, SORTED_NUMERIC, NONE -> {
        // No texts.
      }
    }
  }

  private void bytes(String kind, String place, BytesRef bytes) {
    decoded.bytes(kind, place, BytesRef.deepCopyOf(bytes).bytes);
  }

  private void text(String kind, String place, String text) {
    decoded.bytes(kind, place, text.getBytes(StandardCharsets.UTF_8));
  }
}
