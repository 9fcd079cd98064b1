package dev.agentmemory.search.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.testkit.bytes.FoundText;
import dev.agentmemory.testkit.bytes.ScanResult;
import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the scanner of the testkit finds in the files of an index.
class IndexBytesTest {

  private static final String NEEDLE = "zorvenquil";

  @TempDir private Path folder;

  @Test
  void wordOfAMemory_isFound() throws IOException {
    var id = new MemoryId(TestEvents.id(TestEvents.START, 1));
    try (MemoryWords words = MemoryWords.open(folder)) {
      words.put(List.of(new MemoryWords.Doc(id, "we call it Zorvenquil", Set.of())));
      words.commit(1);
    }
    assertThat(scan().kinds(NEEDLE)).containsKey("term");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void documentDeleted_isFoundUntilItsSegmentIsMerged(boolean compound) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      try (var writer = new IndexWriter(directory, unmerged(compound))) {
        for (int i = 0; i < 100; i++) {
          writer.addDocument(document(i, "plain words"));
        }
        writer.addDocument(document(100, "said " + NEEDLE));
        writer.commit();
        writer.deleteDocuments(new Term("id", "100"));
        writer.commit();
        assertThat(writer.getDocStats().numDocs).isEqualTo(100);
      }
      ScanResult deleted = scan();
      assertThat(deleted.kinds(NEEDLE)).containsKeys("term", "stored field", "value");
      assertThat(deleted.places(NEEDLE))
          .extracting(FoundText::place)
          .contains("_0, text", "_0, document 100, stored", "_0, sorted", "_0, set", "_0, binary");
      try (var writer = new IndexWriter(directory, new IndexWriterConfig())) {
        writer.forceMerge(1);
      }
      assertThat(scan().found()).isEmpty();
    }
  }

  /// Segments that were written and that no commit refers to yet.
  @Test
  void documentThatIsNotCommitted_isFound() throws IOException {
    try (Directory directory = FSDirectory.open(folder);
        var writer = new IndexWriter(directory, unmerged(/* compound= */ false))) {
      writer.addDocument(document(1, "said " + NEEDLE));
      writer.flush();
      assertThat(scan().kinds(NEEDLE)).containsKeys("term", "stored field");
    }
  }

  private static IndexWriterConfig unmerged(boolean compound) {
    return new IndexWriterConfig(new SimpleAnalyzer())
        .setMergePolicy(NoMergePolicy.INSTANCE)
        .setUseCompoundFile(compound);
  }

  private static Document document(int number, String text) {
    var document = new Document();
    document.add(new StringField("id", Integer.toString(number), Field.Store.NO));
    document.add(new TextField("text", text, Field.Store.NO));
    document.add(new StoredField("stored", text));
    document.add(new SortedDocValuesField("sorted", new BytesRef(text)));
    document.add(new SortedSetDocValuesField("set", new BytesRef(text)));
    document.add(new BinaryDocValuesField("binary", new BytesRef(text)));
    return document;
  }

  private ScanResult scan() throws IOException {
    ScanResult result = ByteScanner.scan(List.of(NEEDLE), folder);
    assertThat(result.unread()).isEmpty();
    return result;
  }
}
