package dev.agentmemory.rocksdb.internal.home;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Checks how much space the disk has left, and which commits that allows.
///
/// Idea: a store that refuses events while there is still free space does not reach the state in
/// which the disk refuses writes. Trimming and compaction, which free space, still have space to
/// work in.
///
/// ```
/// free      0 ............ min / 2 ............ min ............ >
/// accepted  deletions      and all other rows   and events
/// ```
///
/// Rows of modules are accepted as long as derived rows are: the deletion of a curated memory
/// writes rows, too, and must be possible while events are refused.
///
/// A refusal ends when the free space is a quarter above its limit. Otherwise a store near the
/// limit would change its state with every file. The thread that writes updates the state; every
/// thread reads it.
public final class DiskSpaceGuard {

  private static final Logger LOG = LoggerFactory.getLogger(DiskSpaceGuard.class);
  private static final long LOOK_MILLIS = 1000;
  private static final long LOOK_BYTES = 4L << 20;

  /// Bytes that reopening the tables needs at least.
  private static final long LEAST_TO_REOPEN = 1L << 20;

  private final Path directory;
  private final Disk disk;
  private final long minFree;
  private volatile FreeSpace freeSpace = FreeSpace.AMPLE;
  private volatile long free = Long.MAX_VALUE;
  private long lookedAt;
  private long writtenSince;
  private boolean looked;

  /// Returns the free space.
  public interface Disk {
    long freeBytes() throws IOException;

    static Disk of(Path directory) {
      try {
        FileStore store = Files.getFileStore(directory);
        return store::getUsableSpace;
      } catch (IOException e) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED, "cannot read the free space of " + directory, e);
      }
    }
  }

  private enum FreeSpace {
    AMPLE,
    LOW,
    NONE
  }

  /// @param directory used in messages
  public DiskSpaceGuard(Path directory, long minFree, Disk disk) {
    this.directory = directory;
    this.minFree = minFree;
    this.disk = disk;
  }

  /// Measures the free space again when a second or some megabytes have passed since the last time.
  public void look(long nowMillis) {
    if (isLookDue(nowMillis)) {
      looked = true;
      lookedAt = nowMillis;
      writtenSince = 0;
      look();
    }
  }

  public boolean isLookDue(long nowMillis) {
    return !looked || Math.abs(nowMillis - lookedAt) >= LOOK_MILLIS || writtenSince >= LOOK_BYTES;
  }

  public void written(long bytes) {
    writtenSince += bytes;
  }

  private void look() {
    try {
      free = disk.freeBytes();
    } catch (IOException e) {
      // Unknown free space refuses nothing; the engine reports a full disk.
      free = Long.MAX_VALUE;
    }
    boolean events = has(minFree, freeSpace == FreeSpace.AMPLE);
    boolean derived = has(minFree / 2, freeSpace != FreeSpace.NONE);
    FreeSpace now = events ? FreeSpace.AMPLE : derived ? FreeSpace.LOW : FreeSpace.NONE;
    if (now != freeSpace) {
      LOG.atLevel(now == FreeSpace.AMPLE ? Level.INFO : Level.WARN)
          .log("{} MiB are free for {}: disk space is {}", free >> 20, directory, now);
    }
    freeSpace = now;
  }

  private boolean has(long mark, boolean letIn) {
    return free >= (letIn ? mark : mark + mark / 4);
  }

  /// @throws MemoryException `DISK_FULL` when there is not enough space for the commit
  public void check(Commit commit) {
    boolean refused =
        switch (freeSpace) {
          case AMPLE -> false;
          case LOW -> commit.changes().stream().anyMatch(Change.AppendEvent.class::isInstance);
          case NONE -> commit.changes().stream().anyMatch(DiskSpaceGuard::adds);
        };
    if (refused) {
      throw full();
    }
  }

  private static boolean adds(Change change) {
    return switch (change) {
      // Its rows let the event be recognised when it comes again.
      case Change.AppendEvent _,
          Change.EraseEvent _,
          Change.MaskEvent _,
          Change.MaskNode _,
          Change.PutNode _,
          Change.PutSegment _,
          Change.PutGrip _,
          Change.MarkDirty _,
          Change.MarkUpgrade _,
          Change.RecordCall _,
          Change.PutRecord _,
          Change.PutDeadLetter _ ->
          true;
      case Change.RetireNode _,
          Change.DropFormerVersions _,
          Change.ClearDirty _,
          Change.ClearUpgrade _,
          Change.DropSegment _,
          Change.DropGrip _,
          Change.DropDeadLetter _,
          Change.DropRecord _,
          Change.TrimOutbox _ ->
          false;
    };
  }

  /// Whether the tables can be reopened after the disk was full.
  public boolean canReopen() {
    return freeSpace == FreeSpace.AMPLE && free >= LEAST_TO_REOPEN;
  }

  /// The problem to report; empty while events are accepted.
  public Optional<String> problem() {
    return freeSpace == FreeSpace.AMPLE ? Optional.empty() : Optional.of(sentence());
  }

  private MemoryException full() {
    return new MemoryException(ErrorCode.DISK_FULL, sentence());
  }

  public MemoryException full(Throwable cause) {
    return new MemoryException(ErrorCode.DISK_FULL, sentence(), cause);
  }

  private String sentence() {
    String left = free == Long.MAX_VALUE ? "too little" : mebibytes(free);
    return ("the disk of %s is full: %s are free and %s are needed (storage.min_free); free some"
            + " disk space, after which events are accepted again without a restart")
        .formatted(directory, left, mebibytes(Math.max(minFree + minFree / 4, LEAST_TO_REOPEN)));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }
}
