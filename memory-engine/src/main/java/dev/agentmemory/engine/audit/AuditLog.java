package dev.agentmemory.engine.audit;

import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The audit log of a data directory: `audit.jsonl`, one record a line ([AuditLines]), to which is
/// only appended. A record is one write, which is synced before [#record] returns.
///
/// Commands write it beside a daemon. Appending alone would keep lines apart, but a record needs
/// the number behind the last one, and no process may append to a file that another one renames. So
/// a writer holds a lock of the operating system, on the file `audit.lock`, which is never renamed.
///
/// A file that would become too large is renamed to `audit.1.jsonl`, that one to `audit.2.jsonl`,
/// and so on; [#KEPT] of them are kept. A line that a crash cut off stays: the next record begins
/// on a line of its own.
public final class AuditLog implements AuditTrail {

  /// Its name in the data directory.
  public static final String FILE = "audit.jsonl";

  /// The lock of its writers.
  public static final String LOCK = "audit.lock";

  /// Earlier files that are kept.
  public static final int KEPT = 4;

  /// Most bytes of a file.
  public static final long MOST_BYTES = 16 << 20;

  private static final int BY_DEFAULT = 100;
  private static final int MOST_RECORDS = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /// A lock of a file keeps other processes out, but fails where this one has it already.
  private static final Mutex TURN = new Mutex();

  private final InstantSource clock;
  private final Path directory;
  private final long mostBytes;
  private volatile Optional<String> problem = Optional.empty();
  private volatile Optional<String> missed = Optional.empty();

  /// @param directory the data directory
  public AuditLog(InstantSource clock, Path directory) {
    this(clock, directory, MOST_BYTES);
  }

  AuditLog(InstantSource clock, Path directory, long mostBytes) {
    this.clock = clock;
    this.directory = directory;
    this.mostBytes = mostBytes;
  }

  /// The files of a log, the newest first.
  public static List<String> files() {
    List<String> names = new ArrayList<>(List.of(FILE));
    for (int i = 1; i <= KEPT; i++) {
      names.add(earlier(i));
    }
    return List.copyOf(names);
  }

  private static String earlier(int number) {
    return "audit." + number + ".jsonl";
  }

  @Override
  public long record(AuditEntry entry) {
    try {
      long number = locked(() -> append(entry));
      problem = Optional.empty();
      return number;
    } catch (IOException e) {
      String why =
          ("the audit log %s cannot be written (%s), and an act that cannot be recorded is not done;"
                  + " check its permissions and the free disk space")
              .formatted(directory.resolve(FILE), reason(e));
      problem = Optional.of(why);
      LOG.error("{} could not be recorded as {}: {}", entry.act(), entry.outcome(), why);
      // Not `STORAGE_FAILED`, whose message callers do not get: they can do something about this.
      throw new MemoryException(ErrorCode.CONFLICT, why, e);
    }
  }

  /// What a file cannot be used for, without its name.
  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "")
        + (e instanceof java.nio.file.FileSystemException file && file.getReason() != null
            ? ": " + file.getReason()
            : "");
  }

  private interface FileWork<T> {
    T run() throws IOException;
  }

  private <T> T locked(FileWork<T> work) throws IOException {
    Path file = directory.resolve(LOCK);
    Set<OpenOption> asIs =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (var _ = TURN.hold();
        FileChannel channel = FileChannel.open(file, asIs, DurableFile.ownerOnly(file));
        FileLock _ = channel.lock()) {
      return work.run();
    }
  }

  private long append(AuditEntry entry) throws IOException {
    long number = last() + 1;
    byte[] line = AuditLines.write(new AuditRecord(number, clock.instant(), entry));
    Path file = directory.resolve(FILE);
    boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (!isNew && Files.size(file) + line.length > mostBytes) {
      rotate(file);
      isNew = true;
    }
    write(file, line);
    if (isNew) {
      DurableFile.syncDirectory(directory);
    }
    return number;
  }

  /// The number of the newest record that can be read; 0 if there is none.
  private long last() throws IOException {
    for (String name : files()) {
      Optional<ReverseLines> lines = open(directory.resolve(name));
      if (lines.isPresent()) {
        try (ReverseLines all = lines.get()) {
          for (var line = all.next(); line.isPresent(); line = all.next()) {
            Optional<AuditRecord> one = AuditLines.read(line.get());
            if (one.isPresent()) {
              return one.get().number();
            }
          }
        }
      }
    }
    return 0;
  }

  private static Optional<ReverseLines> open(Path file) throws IOException {
    try {
      return Optional.of(
          new ReverseLines(
              FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void rotate(Path file) throws IOException {
    for (int i = KEPT - 1; i >= 1; i--) {
      Path earlier = directory.resolve(earlier(i));
      if (Files.exists(earlier, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(earlier, directory.resolve(earlier(i + 1)), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(file, directory.resolve(earlier(1)), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(Path file, byte[] line) throws IOException {
    Set<OpenOption> asIs =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, asIs, DurableFile.ownerOnly(file))) {
      long end = channel.size();
      ByteBuffer bytes = ByteBuffer.allocate(line.length + 1);
      if (end > 0 && !endsLine(channel, end)) {
        bytes.put((byte) '\n');
      }
      bytes.put(line).flip();
      try {
        channel.position(end);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      } catch (IOException e) {
        // The record does not count, so no part of it may stay.
        channel.truncate(end);
        throw e;
      }
    }
  }

  private static boolean endsLine(FileChannel channel, long end) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return channel.read(last, end - 1) == 1 && last.get(0) == '\n';
  }

  @Override
  public AuditPage list(AuditQuery query) {
    long before = query.page().place(AuditLog::place).orElse(Long.MAX_VALUE);
    int limit = query.page().limit(BY_DEFAULT, MOST_RECORDS);
    var files = new ArrayList<ReverseLines>();
    try {
      if (Files.isDirectory(directory)) {
        // Others may rename them once they are open.
        var _ = locked(() -> openAll(files));
      }
      return read(files, new Selection(query, before, limit));
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "the audit log %s cannot be read (%s); check its permissions"
              .formatted(directory.resolve(FILE), reason(e)),
          e);
    } finally {
      files.forEach(AuditLog::close);
    }
  }

  private boolean openAll(List<ReverseLines> into) throws IOException {
    for (String name : files()) {
      open(directory.resolve(name)).ifPresent(into::add);
    }
    return true;
  }

  private static void close(ReverseLines file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("a file that was read could not be closed", e);
    }
  }

  private static AuditPage read(List<ReverseLines> files, Selection selection) throws IOException {
    for (ReverseLines file : files) {
      for (var line = file.next(); line.isPresent(); line = file.next()) {
        if (!selection.take(AuditLines.read(line.get()))) {
          return selection.page();
        }
      }
    }
    return selection.page();
  }

  /// @throws MemoryException `INVALID_TOKEN`
  private static long place(String token) {
    try {
      return Long.parseLong(token);
    } catch (NumberFormatException e) {
      throw new MemoryException(
          ErrorCode.INVALID_TOKEN,
          PageRequest.TOKEN + ": was not issued for this request; start again without a token",
          e);
    }
  }

  @Override
  public Optional<String> problem() {
    return missed.or(() -> problem);
  }

  /// Remembers what was not recorded although it happened, as the problem of this log.
  void missed(String why) {
    missed = Optional.of(why);
  }

  /// What of the records is on a page, while they are read from the newest on.
  private static final class Selection {

    private final AuditQuery query;
    private final long before;
    private final int limit;
    private final List<AuditRecord> taken = new ArrayList<>();

    /// Numbers of the beginnings of acts whose end was read.
    private final Set<Long> ended = new HashSet<>();

    private long unreadable;

    /// @param before only records with a lower number are taken
    Selection(AuditQuery query, long before, int limit) {
      this.query = query;
      this.before = before;
      this.limit = limit;
    }

    /// @param line empty for one that cannot be read
    /// @return whether the page needs others
    boolean take(Optional<AuditRecord> line) {
      if (line.isEmpty()) {
        unreadable++;
        return true;
      }
      AuditRecord one = line.get();
      if (query.since().filter(one.time()::isBefore).isPresent()) {
        // The clock may have been set back, so earlier lines can be of a later time.
        return true;
      }
      OptionalLong begun = one.entry().begun();
      begun.ifPresent(ended::add);
      if (!ended.remove(one.number()) && one.number() < before && isOfItsWorkspace(one)) {
        taken.add(one);
      }
      // One more tells whether there is another page.
      return taken.size() <= limit;
    }

    private boolean isOfItsWorkspace(AuditRecord one) {
      return query.workspace().isEmpty() || query.workspace().equals(one.entry().workspace());
    }

    AuditPage page() {
      return new AuditPage(
          Page.of(taken, limit, last -> Long.toString(last.number())),
          query.workspace().isPresent() ? 0 : unreadable);
    }
  }
}
