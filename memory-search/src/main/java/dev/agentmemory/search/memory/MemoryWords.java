package dev.agentmemory.search.memory;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.MemoryDocuments;
import dev.agentmemory.search.internal.index.MemoryIds;
import dev.agentmemory.search.internal.query.MemoryQueries;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The index of the words and tags of curated memories: a folder of its own beside the generations
/// of the search index. It is derived data: the caller writes it again from the store when
/// [#revision] is not that of the store.
///
/// Any thread may call any method. A change is visible to every match that begins after the change
/// has returned. It is durable with the next [#commit]; what was not committed is lost when the
/// process ends, and the revision then tells so.
///
/// The order of matches depends on the memories alone, not on the order in which they were written.
public final class MemoryWords implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWords.class);

  /// Name of the folder, within that of the search index. No number, so it is no generation.
  public static final String FOLDER = "memories";

  /// The revision of an index that has to be written.
  public static final long NONE = 0;

  /// Changes whenever documents are made in another way.
  private static final String SCHEMA = "1";

  private static final String SCHEMA_NOTE = "schema";
  private static final String REVISION_NOTE = "revision";

  /// Memories of one piece of work.
  private static final int PIECE = 32;

  private final Path folder;
  private final Consumer<List<Runnable>> sideBySide;
  private final Analysis analysis = new Analysis();
  private final MemoryQueries queries = new MemoryQueries(analysis);
  private final MemoryIds ids = new MemoryIds();
  private final Mutex writing = new Mutex();
  private volatile Generation index;
  private volatile boolean lost;
  private volatile boolean closed;

  /// What is indexed of a memory.
  ///
  /// @param text its beginning is indexed, 32,768 UTF-16 units
  public record Doc(MemoryId id, String text, Set<Tag> tags) {

    public Doc {
      tags = Set.copyOf(tags);
    }
  }

  private MemoryWords(Path folder, Consumer<List<Runnable>> sideBySide) {
    this.folder = folder;
    this.sideBySide = sideBySide;
    this.index = opened();
  }

  /// Opens the index, or starts an empty one where none can be used: because it is missing,
  /// damaged, or was written by a newer version.
  ///
  /// @param home the folder of the workspace's search index
  /// @throws MemoryException `CONFLICT` when another process uses it, `STORAGE_FAILED` when the
  ///   folder cannot be used at all
  public static MemoryWords open(Path home) {
    return open(home, pieces -> pieces.forEach(Runnable::run));
  }

  /// The same with several threads for many memories at once.
  ///
  /// @param sideBySide runs pieces of work, in any order and at the same time, and returns when all
  ///   are done
  /// @throws MemoryException as [#open]
  public static MemoryWords open(Path home, Consumer<List<Runnable>> sideBySide) {
    return new MemoryWords(home.resolve(FOLDER), sideBySide);
  }

  private Generation opened() {
    try {
      Files.createDirectories(folder);
      Optional<Generation> there = usable();
      return there.isPresent() ? there.get() : started();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private Optional<Generation> usable() throws IOException {
    Generation found;
    try {
      found = Generation.ofMemories(folder, analysis);
    } catch (LockObtainFailedException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "another process uses the index of memories in " + folder, e);
    } catch (IOException | RuntimeException e) {
      if (Generation.isDamage(e)) {
        // Whatever it is: the store has everything.
        return Optional.empty();
      }
      throw e;
    }
    if (found.noted(SCHEMA_NOTE, "").equals(SCHEMA) && isIntact(found)) {
      return Optional.of(found);
    }
    found.close();
    return Optional.empty();
  }

  /// Most damage shows neither when an index is opened nor in its answers, so every file is
  /// compared with its checksum.
  private static boolean isIntact(Generation found) {
    try {
      return found.read(searcher -> {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
          leaf.reader().checkIntegrity();
        }
        return true;
      });
    } catch (MemoryException e) {
      return false;
    }
  }

  private Generation started() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Generation made = Generation.ofMemories(folder, analysis);
    made.note(SCHEMA_NOTE, SCHEMA);
    return made;
  }

  /// Finds memories by words. The query language is that of a search; its only filter is
  /// `tag:NAME`, which also finds tags below that one. `*` and `?` are wildcards within words; `*`
  /// alone finds every memory. Any other text is safe.
  ///
  /// @param allowed which memories may be found
  /// @param limit most matches
  /// @return the best first, of equal ones the newest; empty when the query asks for nothing
  /// @throws MemoryException `STORAGE_FAILED` when the index cannot be read, or has lost changes
  ///   and has to be cleared and written again; `CLOSED` after [#close]
  public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
    Optional<Query> asked = queries.of(query);
    return asked.isEmpty()
        ? List.of()
        : read(searcher -> found(searcher, asked.get(), allowed, limit));
  }

  /// A writer that has failed is replaced while others read.
  private <T> T read(Generation.Reading<T> reading) {
    while (true) {
      Generation seen = index;
      checkUsable(seen);
      try {
        seen.refresh();
        return seen.read(reading);
      } catch (AlreadyClosedException | MemoryException e) {
        checkUsable(seen);
        if (seen == index) {
          throw e;
        }
      }
    }
  }

  /// What is found in an index that has lost changes would look complete.
  private void checkUsable(Generation seen) {
    if (closed) {
      throw closedException();
    }
    if (lost || (seen == index && !seen.isOpen())) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "the index of memories in %s could not be written and has lost changes; it has to be"
                  .formatted(folder)
              + " written again");
    }
  }

  private static MemoryException closedException() {
    return new MemoryException(ErrorCode.CLOSED, "the index of memories is closed");
  }

  private List<MemoryId> found(
      IndexSearcher searcher, Query query, Predicate<MemoryId> allowed, int limit)
      throws IOException {
    IndexReader reader = searcher.getIndexReader();
    if (reader.numDocs() == 0) {
      return List.of();
    }
    ScoredMatches matches = ScoredMatches.of(searcher, query);
    List<MemoryId> found = new ArrayList<>();
    int next = 0;
    while (next < matches.size() && found.size() < limit) {
      float score = matches.score(next);
      List<MemoryId> equal = new ArrayList<>();
      for (; next < matches.size() && matches.score(next) == score; next++) {
        MemoryId id = ids.of(reader, matches.doc(next));
        if (allowed.test(id)) {
          equal.add(id);
        }
      }
      equal.sort(Comparator.reverseOrder());
      found.addAll(equal);
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  /// Writes memories, in place of those with the same id.
  ///
  /// @param docs each id once
  /// @throws MemoryException `STORAGE_FAILED` when the index cannot be written. It has lost changes
  ///   then: its revision is [#NONE], also in later commits, until it was cleared; `CLOSED` after
  ///   [#close]
  public void put(List<Doc> docs) {
    var _ = put(docs, Optional::of);
  }

  /// The same for rows that are read meanwhile, by the threads that index them.
  ///
  /// @param read reads a row, on any of these threads; empty: it is passed over. When it throws,
  ///   the index has lost changes
  /// @return how many memories were written
  /// @throws MemoryException as [#put(List)], and what the reading throws
  public <T> long put(List<T> rows, Function<T, Optional<Doc>> read) {
    var written = new LongAdder();
    write(writer -> {
      List<Runnable> pieces = new ArrayList<>();
      for (int from = 0; from < rows.size(); from += PIECE) {
        List<T> piece = rows.subList(from, Math.min(from + PIECE, rows.size()));
        pieces.add(() -> {
          for (T row : piece) {
            read.apply(row)
                .ifPresent(doc -> {
                  put(writer, doc);
                  written.increment();
                });
          }
        });
      }
      sideBySide.accept(pieces);
    });
    return written.sum();
  }

  private static void put(Generation writer, Doc doc) {
    List<String> tags = doc.tags().stream().map(Tag::value).sorted().toList();
    writer.put(doc.id().value(), MemoryDocuments.of(doc.id().value(), doc.text(), tags));
  }

  /// Removes memories. Those that are not there are passed over.
  ///
  /// @throws MemoryException as [#put(List)]
  public void remove(Collection<MemoryId> removed) {
    write(writer -> removed.forEach(id -> writer.delete(id.value())));
  }

  /// Removes all memories. The revision is [#NONE] until the next commit.
  ///
  /// @throws MemoryException as [#put(List)]
  public void clear() {
    write(writer -> {
      writer.deleteAll();
      writer.note(REVISION_NOTE, "");
      lost = false;
    });
  }

  /// The revision of the last commit; [#NONE] when the index has to be cleared and written again.
  public long revision() {
    try (var _ = writing.hold()) {
      String noted = index.noted(REVISION_NOTE, "");
      return lost || !index.isOpen() || noted.isEmpty() ? NONE : Long.parseLong(noted);
    }
  }

  /// Makes everything that was written durable.
  ///
  /// @param revision of the store whose memories are in the index
  /// @throws MemoryException as [#put(List)]
  public void commit(long revision) {
    write(writer -> {
      writer.note(REVISION_NOTE, lost ? "" : Long.toString(revision));
      writer.commit();
    });
  }

  /// Makes everything durable that was written, with the revision of the last commit, and leaves
  /// nothing in the files of what was removed or replaced.
  ///
  /// @return whether that is so; else a match that has begun before still reads former files
  /// @throws MemoryException as [#put(List)]
  public boolean purge() {
    var former = new AtomicBoolean();
    write(writer -> {
      writer.purge();
      writer.commit();
      writer.refresh();
      writer.deleteUnused();
      former.set(!writer.formerFiles().isEmpty());
    });
    return !former.get();
  }

  private void write(Consumer<Generation> work) {
    try (var _ = writing.hold()) {
      if (closed) {
        throw closedException();
      }
      repair();
      boolean done = false;
      try {
        work.accept(index);
        done = true;
      } finally {
        if (!done) {
          lost = true;
        }
      }
    }
  }

  /// Replaces a writer that has closed itself, for example on a full disk.
  private void repair() {
    Generation broken = index;
    if (broken.isOpen() && !broken.isDamaged()) {
      return;
    }
    lost = true;
    try {
      broken.close();
    } catch (MemoryException e) {
      LOG.debug("closing what has failed: {}", e.getMessage());
    }
    index = opened();
  }

  /// Closes the index. What was not committed is lost. A second call does nothing.
  @Override
  public void close() {
    try (var _ = writing.hold()) {
      if (!closed) {
        closed = true;
        index.close();
      }
    }
  }

  private MemoryException unusable(IOException e) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        ("the directory of the index of memories cannot be used: %s (%s); check its permissions and"
                + " the disk")
            .formatted(folder, e.getMessage()),
        e);
  }
}
