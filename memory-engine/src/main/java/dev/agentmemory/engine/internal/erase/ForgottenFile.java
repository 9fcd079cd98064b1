package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a workspace has forgotten, in a file beside its backups, so that a restore of an older one
/// forgets it again. It has no content: digests are keyed with the secret of the store that the
/// backups are of.
///
/// ```
/// agent-memory forgotten 1
/// event {digest}     of words or of an id
/// memory {digest}    of an id
/// ```
public final class ForgottenFile {

  /// Its name in the folder of a workspace's backups.
  public static final String NAME = "forgotten";

  private static final String MAGIC = "agent-memory forgotten 1";
  private static final String EVENT = "event ";
  private static final String MEMORY = "memory ";

  /// What a file has.
  ///
  /// @param digests of events
  /// @param memories digests of memories
  record Content(Set<String> digests, Set<String> memories) {

    boolean isEmpty() {
      return digests.isEmpty() && memories.isEmpty();
    }
  }

  private ForgottenFile() {}

  /// @return empty when there is no file
  /// @throws MemoryException `CORRUPT_RECORD` when it is no such file: what it has must not come
  ///   back in silence
  static Optional<Content> read(Path file) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    Set<String> digests = new TreeSet<>();
    Set<String> memories = new TreeSet<>();
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      if (lines.isEmpty() || !lines.getFirst().equals(MAGIC)) {
        throw damaged(file);
      }
      for (String line : lines.subList(1, lines.size())) {
        if (line.startsWith(EVENT)) {
          digests.add(line.substring(EVENT.length()));
        } else if (line.startsWith(MEMORY)) {
          memories.add(line.substring(MEMORY.length()));
        } else {
          throw damaged(file);
        }
      }
      return Optional.of(new Content(digests, memories));
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, sentence(file), e);
    }
  }

  private static MemoryException damaged(Path file) {
    return new MemoryException(ErrorCode.CORRUPT_RECORD, sentence(file));
  }

  private static String sentence(Path file) {
    return ("%s is damaged, so what was forgotten after the backup cannot be recognised; restore the"
            + " file, or delete it if the text may come back")
        .formatted(file);
  }

  /// Writes the file beside backups, if there is something to write.
  ///
  /// @param folder of the backups
  static void writeBeside(Path folder, Content content) {
    if (!content.isEmpty()) {
      write(folder.resolve(NAME), content);
    }
  }

  /// Writes the file with these entries and those that it has already.
  private static void write(Path file, Content content) {
    try {
      Optional<Content> before = read(file);
      Set<String> digests = new TreeSet<>(content.digests());
      Set<String> memories = new TreeSet<>(content.memories());
      before.ifPresent(known -> {
        digests.addAll(known.digests());
        memories.addAll(known.memories());
      });
      List<String> lines = new ArrayList<>();
      lines.add(MAGIC);
      digests.forEach(digest -> lines.add(EVENT + digest));
      memories.forEach(digest -> lines.add(MEMORY + digest));
      lines.add("");
      DurableFile.write(file, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s (%s), which lets a restore forget again; check the disk and its"
                  .formatted(file, e.getMessage())
              + " permissions",
          e);
    }
  }

  /// Copies the file beside the backups into a restored data directory.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when it cannot be understood
  public static void restore(Path beside, Path to) {
    Optional<Content> forgotten = read(beside);
    if (forgotten.isEmpty()) {
      return;
    }
    try {
      Path folder = to.toAbsolutePath().getParent();
      if (folder != null) {
        DurableFile.createDirectory(folder);
      }
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s (%s); check the disk and its permissions".formatted(to, e.getMessage()),
          e);
    }
    write(to, forgotten.get());
  }
}
