package dev.agentmemory.search.internal.index;

import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;

/// One Lucene index: a writer, what readers see of it, and the notes in its commits. The notes and
/// the documents of one commit belong together, so after a crash both are of the same moment.
///
/// A writer that fails in the middle of writing, on a full disk for example, closes itself for good
/// and forgets what it had not committed; what was visible can still be read.
public final class Generation implements AutoCloseable {

  /// BM25's usual parameters: others gain on one kind of conversation and lose more on another.
  public static final float K1 = 1.2f;

  public static final float B = 0.75f;

  private static final double BUFFER_MEGABYTES = 32;

  /// Memories are written by several threads. A full buffer is flushed by the thread that has
  /// filled it, what is left by the one that commits, so a small one shares the work.
  private static final double MEMORIES_BUFFER_MEGABYTES = 12;

  /// Largest files that are kept in the heap.
  private static final double CACHED_MERGE_MEGABYTES = 2;

  /// Most that is kept in the heap of an index of memories.
  private static final double CACHE_MEGABYTES = 8;

  /// Passes of a purge. The second one finds what merges were at during the first.
  private static final int MOST_PASSES = 20;

  private static final String YES = "yes";

  private final Path folder;
  private final Form form;
  private final Directory directory;
  private final QuietMerges merges = new QuietMerges();
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final SnapshotDeletionPolicy snapshots =
      new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
  private final Map<String, String> notes = new HashMap<>();
  private volatile boolean damaged;

  /// How an index is written and read.
  private record Form(Analyzer analyzer, SearcherFactory factory, double bufferMegabytes) {}

  /// A generation of events and nodes.
  ///
  /// @throws IOException also when what stands there is no index that can be read
  Generation(Path folder, Analysis analysis) throws IOException {
    this(
        folder,
        FSDirectory.open(folder),
        new Form(analyzer(analysis.words(), analysis), new SearcherFactory(), BUFFER_MEGABYTES));
  }

  private Generation(Path folder, Directory directory, Form form) throws IOException {
    this.folder = folder;
    this.directory = directory;
    this.form = form;
    IndexWriter opened = null;
    try {
      opened = new IndexWriter(directory, config(form, merges).setIndexDeletionPolicy(snapshots));
      searchers = new SearcherManager(opened, form.factory());
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.rollback();
      }
      directory.close();
      throw e;
    }
    writer = opened;
    Iterable<Map.Entry<String, String>> committed = writer.getLiveCommitData();
    if (committed != null) {
      committed.forEach(entry -> notes.put(entry.getKey(), entry.getValue()));
    }
  }

  /// The index of curated memories. Its scores do not depend on documents that were deleted. Small
  /// new files are kept in the heap until a commit, as most changes are of one document and become
  /// visible at once.
  ///
  /// @throws IOException also when what stands there is no index that can be read
  public static Generation ofMemories(Path folder, Analysis analysis) throws IOException {
    return new Generation(
        folder,
        new NRTCachingDirectory(FSDirectory.open(folder), CACHED_MERGE_MEGABYTES, CACHE_MEGABYTES),
        new Form(
            analyzer(analysis.forms(), analysis),
            new LiveStatistics.Factory(),
            MEMORIES_BUFFER_MEGABYTES));
  }

  private static Analyzer analyzer(Analyzer words, Analysis analysis) {
    return new PerFieldAnalyzerWrapper(words, Map.of(Fields.EXACT, analysis.identifiers()));
  }

  private static IndexWriterConfig config(Form form, QuietMerges merges) {
    return new IndexWriterConfig(form.analyzer())
        .setSimilarity(new BM25Similarity(K1, B))
        .setRAMBufferSizeMB(form.bufferMegabytes())
        .setCommitOnClose(false)
        .setMergePolicy(new TieredMergePolicy().setForceMergeDeletesPctAllowed(0))
        .setMergeScheduler(merges)
        // A commit that waits for merges may keep the files of one whose result was merged again.
        .setMaxFullFlushMergeWaitMillis(0)
        .setCodec(codec());
  }

  /// A failed merge closes the writer; the next write reports the reason.
  private static final class QuietMerges extends ConcurrentMergeScheduler {

    /// A purge has time, and others need the processors.
    private static final double PURGED_MEGABYTES_PER_SECOND = 20;

    QuietMerges() {
      setForceMergeMBPerSec(PURGED_MEGABYTES_PER_SECOND);
    }

    @Override
    protected void handleMergeException(Throwable e) {
      // Otherwise its thread would end with a stack trace on the process's output.
    }
  }

  private static Codec codec() {
    KnnVectorsFormat vectors = new Lucene104HnswScalarQuantizedVectorsFormat();
    return new Lucene104Codec() {
      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return vectors;
      }
    };
  }

  /// Writes a document, in place of the one with the same id.
  public void put(String uid, Document document) {
    run(() -> writer.updateDocument(EventDocuments.term(uid), document));
  }

  public void delete(String uid) {
    run(() -> writer.deleteDocuments(EventDocuments.term(uid)));
  }

  /// Deletes all documents.
  public void deleteAll() {
    run(writer::deleteAll);
  }

  public synchronized String noted(String name, String otherwise) {
    return notes.getOrDefault(name, otherwise);
  }

  /// Whether it was made from the whole log.
  boolean isComplete() {
    return noted(Generations.Note.COMPLETE, "").equals(YES);
  }

  void complete() {
    note(Generations.Note.COMPLETE, YES);
  }

  /// It turned out that something of the log is missing in it.
  void incomplete() {
    note(Generations.Note.COMPLETE, "");
  }

  /// Whether it can be written to.
  public boolean isOpen() {
    return writer.isOpen();
  }

  /// Whether a file of it could not be understood.
  public boolean isDamaged() {
    return damaged || writer.getTragicException() instanceof CorruptIndexException;
  }

  /// The same one opened again, as its last commit left it.
  Generation reopened() throws IOException {
    return new Generation(folder, FSDirectory.open(folder), form);
  }

  /// Whether an index that does not open never will.
  public static boolean isDamage(Exception e) {
    return e instanceof CorruptIndexException
        || e instanceof IndexFormatTooOldException
        || e instanceof IndexFormatTooNewException
        || e instanceof EOFException
        || e instanceof NoSuchFileException
        || (e instanceof RuntimeException && !(e instanceof AlreadyClosedException));
  }

  /// Sequence of the last outbox entry that went into it.
  public long cursor() {
    return Long.parseLong(noted(Generations.Note.CURSOR, "0"));
  }

  public void cursor(long sequence) {
    note(Generations.Note.CURSOR, Long.toString(sequence));
  }

  /// Goes into the next commit.
  public synchronized void note(String name, String value) {
    notes.put(name, value);
  }

  /// Makes what was written durable, with the notes as they are now.
  public void commit() {
    run(() -> {
      synchronized (this) {
        writer.setLiveCommitData(List.copyOf(notes.entrySet()));
      }
      writer.commit();
    });
  }

  /// Writes the files anew that have documents which were deleted or replaced.
  public void purge() {
    run(() -> {
      // Files that a merge of its own is at are passed over, and not waited for.
      for (int pass = 0; writer.hasDeletions(); pass++) {
        if (pass == MOST_PASSES) {
          throw new IOException("its merges do not remove deleted documents");
        }
        writer.forceMergeDeletes(/* doWait= */ true);
        merges.sync();
      }
    });
  }

  /// Deletes files that were in use until now.
  public void deleteUnused() {
    run(writer::deleteUnusedFiles);
  }

  /// The files that the last commit does not have: of readers that have begun before it, and of
  /// merges that go on.
  public Set<String> formerFiles() {
    try {
      Collection<String> committed = SegmentInfos.readLatestCommit(directory).files(true);
      return Stream.of(directory.listAll())
          .filter(file -> IndexFileNames.CODEC_FILE_PATTERN.matcher(file).matches())
          .filter(file -> !committed.contains(file))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /// Links the files of the last commit into a new folder, or copies them where they cannot be
  /// linked. Writing goes on.
  void linkInto(Path target) {
    run(() -> {
      Files.createDirectory(target);
      IndexCommit commit = snapshots.snapshot();
      try {
        for (String file : commit.getFileNames()) {
          link(folder.resolve(file), target.resolve(file));
        }
      } finally {
        snapshots.release(commit);
        writer.deleteUnusedFiles();
      }
    });
  }

  private static void link(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(file, target);
    }
  }

  /// Makes what was written visible.
  public void refresh() {
    run(searchers::maybeRefreshBlocking);
  }

  /// Reads what was visible at one moment.
  public <T> T read(Reading<T> reading) {
    try {
      IndexSearcher searcher = searchers.acquire();
      try {
        return reading.with(searcher);
      } finally {
        searchers.release(searcher);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  long bytes() {
    try {
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += length(file);
      }
      return bytes;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /// A merge may take a file away while they are counted.
  private long length(String file) {
    try {
      return directory.fileLength(file);
    } catch (IOException gone) {
      return 0;
    }
  }

  /// Leaves behind what was committed; commit first to keep the rest.
  @Override
  public void close() {
    run(() -> {
      searchers.close();
      writer.rollback();
      directory.close();
    });
  }

  private MemoryException failed(Exception e) {
    damaged |= e instanceof CorruptIndexException;
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        ("the search index in %s cannot be used: %s; it is repaired automatically when it can be"
                + " written again")
            .formatted(folder, reason(e)),
        e);
  }

  /// A writer that has closed itself says why only in the cause.
  private static String reason(Exception e) {
    Throwable told = e instanceof AlreadyClosedException && e.getCause() != null ? e.getCause() : e;
    return String.valueOf(told.getMessage());
  }

  private void run(Writing writing) {
    try {
      writing.run();
    } catch (IOException | AlreadyClosedException e) {
      throw failed(e);
    }
  }

  /// Something that reads.
  public interface Reading<T> {
    T with(IndexSearcher searcher) throws IOException;
  }

  private interface Writing {
    void run() throws IOException;
  }
}
