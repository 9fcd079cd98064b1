package dev.agentmemory.agents.spool;

import dev.agentmemory.agents.HookMessage;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The folder in which hooks leave files. A file without a temporary name is complete. What cannot
/// be an entry, and one of an agent that is not known, is moved to the folder `rejected` in it.
public final class SpoolFolder {

  /// Of the files that are complete.
  public static final String SUFFIX = ".hook";

  private static final String REJECTED = "rejected";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,120}");

  /// A larger file is no entry: a payload of 32 MiB, as a post may have, and what comes before it.
  private static final long MOST_BYTES = (32L << 20) + SpoolEntry.MOST_HEADER;

  /// Of the files that are read together; the first may be larger.
  private static final long MOST_TOGETHER = 16L << 20;

  private final Path folder;
  private final AtomicLong rejected = new AtomicLong();

  /// @param folder is created, for its owner only
  public SpoolFolder(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    Path refused = folder.resolve(REJECTED);
    if (Files.isDirectory(refused)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(refused)) {
        files.forEach(_ -> rejected.incrementAndGet());
      }
    }
  }

  /// The complete files in the order in which they were written, and of their names where that is
  /// one moment: a prompt is read before what followed from it. Most names begin with the time
  /// since the start of the system, so they tell nothing of files of before.
  ///
  /// @param wanted which of them are listed
  public Listing list(Predicate<Path> wanted) throws IOException {
    return new Listing(found(wanted));
  }

  /// A complete file.
  private record Found(Path file, Instant written, long bytes) {

    private static final Comparator<Found> ORDER =
        Comparator.comparing(Found::written).thenComparing(Found::file);
  }

  private List<Found> found(Predicate<Path> wanted) throws IOException {
    List<Found> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        if (wanted.test(file)) {
          look(file).ifPresent(found::add);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort(Found.ORDER);
    return found;
  }

  /// @return empty when it is stored meanwhile
  private static Optional<Found> look(Path file) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(
          new Found(file, attributes.lastModifiedTime().toInstant(), attributes.size()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /// The files that were complete at one time, in order. Some may be gone when they are taken.
  public static final class Listing {

    private final Deque<Found> files;

    private Listing(List<Found> files) {
      this.files = new ArrayDeque<>(files);
    }

    public static Listing empty() {
      return new Listing(List.of());
    }

    public boolean isEmpty() {
      return files.isEmpty();
    }

    /// Takes the first files, those that can be read together.
    ///
    /// @param most how many are taken; fewer when they are large, at least one if there is one
    public List<Path> take(int most) {
      List<Path> taken = new ArrayList<>();
      long bytes = 0;
      while (!files.isEmpty() && taken.size() < most) {
        bytes += files.getFirst().bytes();
        if (!taken.isEmpty() && bytes > MOST_TOGETHER) {
          break;
        }
        taken.add(files.removeFirst().file());
      }
      return taken;
    }
  }

  /// The entries of an event that hooks have written since a time, in the order of [#list]. Of
  /// other files no more than the beginning is read. A file that cannot be read is passed over:
  /// [#list] has it, too, and [#read] says why.
  ///
  /// @param event its name, in any case
  public List<HookMessage> entries(String event, Instant since) throws IOException {
    List<HookMessage> entries = new ArrayList<>();
    for (Found one : found(_ -> true)) {
      if (!one.written().isBefore(since)) {
        entry(one.file(), event).ifPresent(entries::add);
      }
    }
    return entries;
  }

  private Optional<HookMessage> entry(Path file, String event) {
    try {
      return isOf(file, event) ? read(file) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isOf(Path file, String event) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] beginning = in.readNBytes(SpoolEntry.MOST_BEFORE_EVENT);
      return SpoolEntry.event(beginning).equalsIgnoreCase(event);
    }
  }

  /// Rejects what hooks have left that were killed: files without their name.
  ///
  /// @param before when they were last written
  public void rejectDrafts(Instant before) throws IOException {
    for (Path draft : files(folder, ".*.tmp")) {
      try {
        if (Files.getLastModifiedTime(draft, LinkOption.NOFOLLOW_LINKS)
            .toInstant()
            .isBefore(before)) {
          reject(draft);
        }
      } catch (NoSuchFileException e) {
        // The hook has just given it its name.
      }
    }
  }

  /// The file of a name that a hook has sent; empty for a text that is no name.
  public Optional<Path> file(String name) {
    return NAME.matcher(name).matches()
        ? Optional.of(folder.resolve(name + SUFFIX))
        : Optional.empty();
  }

  /// The files that are no entries: rejected ones, and drafts of hooks that were killed.
  ///
  /// @param drafts when those were last written, at the latest
  public List<Path> refuse(Instant drafts) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder.resolve(REJECTED), LinkOption.NOFOLLOW_LINKS)) {
      found.addAll(files(folder.resolve(REJECTED), "*"));
    }
    for (Path draft : files(folder, ".*.tmp")) {
      if (look(draft).filter(one -> one.written().isBefore(drafts)).isPresent()) {
        found.add(draft);
      }
    }
    return found;
  }

  private static List<Path> files(Path in, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(in, pattern)) {
      files.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /// Deletes a file for good, a rejected one as well.
  ///
  /// @return false when it is gone already
  public boolean delete(Path file) throws IOException {
    boolean deleted = Files.deleteIfExists(file);
    if (deleted && folder.resolve(REJECTED).equals(file.getParent())) {
      rejected.decrementAndGet();
    }
    return deleted;
  }

  /// Reads a file.
  ///
  /// @return empty when it is gone, or was torn and is rejected now
  public Optional<HookMessage> read(Path file) throws IOException {
    try {
      Optional<HookMessage> message = parse(file);
      if (message.isEmpty()) {
        reject(file);
      }
      return message;
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<HookMessage> parse(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return attributes.isRegularFile() && attributes.size() <= MOST_BYTES
        ? SpoolEntry.parse(Files.readAllBytes(file), attributes.lastModifiedTime().toInstant())
        : Optional.empty();
  }

  /// Takes back what was rejected and can be read now: entries of an agent that an earlier version
  /// of the program did not know. What cannot be read stays rejected.
  public void restore() throws IOException {
    Path refused = folder.resolve(REJECTED);
    if (!Files.isDirectory(refused)) {
      return;
    }
    for (Path file : files(refused, "*" + SUFFIX)) {
      Path place = folder.resolve(file.getFileName());
      if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS) && isEntry(file)) {
        Files.move(file, place);
        rejected.decrementAndGet();
      }
    }
  }

  private static boolean isEntry(Path file) {
    try {
      return parse(file).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private void reject(Path file) throws IOException {
    Path refused = Files.createDirectories(folder.resolve(REJECTED));
    Files.move(file, refused.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    rejected.incrementAndGet();
  }

  /// How many files were rejected, also before the start.
  public long rejected() {
    return rejected.get();
  }
}
