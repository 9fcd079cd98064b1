package dev.agentmemory.search.internal.index;

import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.store.LockObtainFailedException;

/// The folders of an index: each generation has one, named by its number. The highest one that is
/// complete is the index; what a crash left of a rebuild is thrown away.
public final class Generations {

  /// Changes whenever documents are made in another way.
  static final String SCHEMA = "1";

  private final Path home;
  private final Analysis analysis;
  private int number;

  Generations(Path home, Analysis analysis) {
    this.home = home;
    this.analysis = analysis;
  }

  /// The index that is there.
  ///
  /// @return empty when there is none that can be used
  Optional<Generation> open(String zone) {
    try {
      Files.createDirectories(home);
      Optional<Generation> found = Optional.empty();
      for (int candidate : numbers()) {
        if (found.isEmpty()) {
          found = open(candidate, zone);
          number = candidate;
        }
        if (found.isEmpty() || number != candidate) {
          delete(candidate);
        }
      }
      return found;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /// A new generation, behind all that were there.
  Generation next(String zone) {
    try {
      number++;
      delete(number);
      Generation made = new Generation(folder(number), analysis);
      made.note(Note.SCHEMA, SCHEMA);
      made.note(Note.ZONE, zone);
      return made;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /// Opens a generation again whose writer has closed itself, as its last commit left it.
  ///
  /// @return empty when its files are damaged
  Optional<Generation> reopen(Generation closed) {
    if (closed.isDamaged()) {
      return Optional.empty();
    }
    try {
      Generation again = closed.reopened();
      if (again.noted(Note.SCHEMA, "").equals(SCHEMA)) {
        return Optional.of(again);
      }
      // Its files are gone, and this is an empty one.
      again.close();
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      if (Generation.isDamage(e)) {
        return Optional.empty();
      }
      throw unusable(e);
    }
  }

  /// Throws away all but the newest generation.
  void keepNewest() {
    try {
      for (int old : numbers()) {
        if (old != number) {
          delete(old);
        }
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private Optional<Generation> open(int candidate, String zone) throws IOException {
    Generation opened;
    try {
      opened = new Generation(folder(candidate), analysis);
    } catch (LockObtainFailedException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "Another process uses the search index in " + home, e);
    } catch (IOException | RuntimeException e) {
      if (Generation.isDamage(e)) {
        // Whatever it is: the log has everything.
        return Optional.empty();
      }
      throw e;
    }
    boolean usable =
        opened.noted(Note.SCHEMA, "").equals(SCHEMA)
            && opened.noted(Note.ZONE, "").equals(zone)
            && (opened.isComplete() || numbers().size() == 1);
    if (usable) {
      return Optional.of(opened);
    }
    opened.close();
    return Optional.empty();
  }

  /// The highest first.
  private List<Integer> numbers() throws IOException {
    try (Stream<Path> all = Files.list(home)) {
      return all.map(folder -> folder.getFileName().toString())
          .filter(Generations::isNumber)
          .map(Integer::valueOf)
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  /// Whether a folder of that name is a generation.
  public static boolean isNumber(String name) {
    return name.matches("\\d{1,9}");
  }

  private Path folder(int which) {
    return home.resolve(Integer.toString(which));
  }

  private void delete(int which) throws IOException {
    Path folder = folder(which);
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private MemoryException unusable(Exception e) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        ("the directory of the search index cannot be used: %s (%s); check its permissions and the"
                + " disk")
            .formatted(home, e.getMessage()),
        e);
  }

  /// Names of what is noted in every commit.
  static final class Note {
    static final String SCHEMA = "schema";
    static final String ZONE = "zone";
    static final String CURSOR = "cursor";
    static final String COMPLETE = "complete";

    private Note() {}
  }
}
