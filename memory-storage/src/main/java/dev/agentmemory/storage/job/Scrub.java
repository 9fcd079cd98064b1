package dev.agentmemory.storage.job;

import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Reads the files of a store and compares their checksums, each file at least once in a period, so
/// that damage is found before the rows are needed.
///
/// A run takes those that were not read for longest, twice its share of all bytes, and everything
/// that is overdue. It reads slowly: four times as fast as the period demands, at least 1 MiB a
/// second. When which file was read is kept in the store, so a restart continues there. Damaged
/// files are read first in every run. What is wrong with them is known only while the store is
/// open, so a store that has some is due as soon as it is opened.
final class Scrub implements Job.Body {

  /// Name of the job, and of the checkpoint in which it keeps what it has read.
  static final String NAME = "scrub";

  private static final String DAMAGED = " damaged";
  private static final String STOPPED = "the scrub was stopped before it finished";
  private static final Duration RAREST = Duration.ofHours(1);
  private static final Duration MOST_OFTEN = Duration.ofMinutes(1);
  private static final int RUNS = 168;
  private static final long LEAST_RATE = 1 << 20;
  private static final int SHOWN = 3;
  private static final int LONGEST = 300;

  private final InstantSource clock;
  private final Sleeper sleeper;
  private final MemoryStore store;
  private final Duration period;
  private final Duration atMost;

  /// Whether a run has read files since the store was opened.
  private volatile boolean hasRun;

  /// When a file was read, and whether it was damaged.
  private record Mark(Instant at, boolean damaged) {

    static Optional<Mark> of(String text) {
      try {
        long millis = Long.parseLong(text.replace(DAMAGED, ""));
        return Optional.of(new Mark(Instant.ofEpochMilli(millis), text.endsWith(DAMAGED)));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    String text() {
      return at.toEpochMilli() + (damaged ? DAMAGED : "");
    }
  }

  /// @param period in which every file is read; zero for on request only
  /// @param atMost how long a run may take of its own accord
  Scrub(InstantSource clock, Sleeper sleeper, MemoryStore store, Duration period, Duration atMost) {
    this.clock = clock;
    this.sleeper = sleeper;
    this.store = store;
    this.period = period;
    this.atMost = atMost;
  }

  /// How often it runs for a period: a 168th of it, at most every minute and at least every hour.
  static Duration every(Duration period) {
    Duration share = period.dividedBy(RUNS);
    if (share.compareTo(MOST_OFTEN) < 0) {
      return MOST_OFTEN;
    }
    return share.compareTo(RAREST) > 0 ? RAREST : share;
  }

  @Override
  public Map<String, String> run() {
    List<StoreFile> files = store.files().files();
    long all = files.stream().mapToLong(StoreFile::bytes).sum();
    long rate = Math.max(LEAST_RATE, 4 * all / Math.max(1, period.toSeconds()));
    return read(planned(files, all), new Pace(rate)::keep, clock.instant().plus(atMost));
  }

  /// Reads everything now, as fast as the disk can.
  @Override
  public Map<String, String> runOnRequest() {
    return read(store.files().files(), this::goOn, Instant.MAX);
  }

  /// When the next file is due; in the past while a file is marked as damaged and was not reported
  /// since the store was opened; empty if files are read on request only.
  Optional<Instant> due() {
    if (period.isZero()) {
      return Optional.empty();
    }
    Map<String, Mark> marks = marks();
    return store.files().files().stream()
        .map(file ->
            isUntold(marks.get(file.name())) ? Instant.EPOCH : lastRead(file, marks).plus(period))
        .min(Comparator.naturalOrder());
  }

  private boolean isUntold(@Nullable Mark mark) {
    return !hasRun && mark != null && mark.damaged();
  }

  /// Those that a run reads of its own accord.
  private List<StoreFile> planned(List<StoreFile> files, long all) {
    Map<String, Mark> marks = marks();
    Instant now = clock.instant();
    Duration every = every(period);
    long left = 2 * all * every.toSeconds() / Math.max(1, period.toSeconds());
    List<StoreFile> oldestFirst =
        files.stream()
            .sorted(Comparator.comparing((StoreFile file) -> planKey(file, marks)))
            .toList();
    var planned = new ArrayList<StoreFile>();
    for (StoreFile file : oldestFirst) {
      Instant last = planKey(file, marks);
      boolean overdue = !last.plus(period).isAfter(now.plus(every));
      boolean half = !last.plus(period.dividedBy(2)).isAfter(now);
      if (overdue || (half && left > 0)) {
        planned.add(file);
        left -= file.bytes();
      }
    }
    return planned;
  }

  /// A log that was never read counts as old, because its time is that of its last record.
  private static Instant planKey(StoreFile file, Map<String, Mark> marks) {
    Mark mark = marks.get(file.name());
    boolean unknown = mark == null ? file.name().endsWith(".log") : mark.damaged();
    return unknown ? Instant.EPOCH : lastRead(file, marks);
  }

  /// A file that was just written was whole then.
  private static Instant lastRead(StoreFile file, Map<String, Mark> marks) {
    Mark mark = marks.get(file.name());
    return mark == null ? file.changed() : mark.at();
  }

  private Map<String, String> read(List<StoreFile> files, IntConsumer pace, Instant end) {
    Map<String, Mark> marks = marks();
    var damaged = new ArrayList<DamagedRange>();
    int read = 0;
    long bytes = 0;
    try {
      for (StoreFile file : files) {
        if (clock.instant().isAfter(end)) {
          break;
        }
        Optional<DamagedRange> found = store.files().check(file, pace);
        found.ifPresent(damaged::add);
        marks.put(file.name(), new Mark(clock.instant(), found.isPresent()));
        read++;
        bytes += file.bytes();
      }
      hasRun = true;
    } finally {
      if (read > 0) {
        save(marks);
      }
    }
    return told(read, bytes, damaged);
  }

  private static Map<String, String> told(int files, long bytes, List<DamagedRange> damaged) {
    Map<String, String> did = new HashMap<>();
    did.put("files", Integer.toString(files));
    did.put("bytes", Long.toString(bytes));
    did.put("damaged", Integer.toString(damaged.size()));
    for (int i = 0; i < Math.min(SHOWN, damaged.size()); i++) {
      DamagedRange range = damaged.get(i);
      String whole = range.table() + " " + range.place() + ": " + range.reason();
      did.put("damaged_" + (i + 1), whole.substring(0, Math.min(LONGEST, whole.length())));
    }
    return did;
  }

  /// What was read when; of files whose mark is missing or cannot be read nothing is known, so they
  /// are read again.
  private Map<String, Mark> marks() {
    Map<String, Mark> marks = new HashMap<>();
    saved().forEach((file, text) -> Mark.of(text).ifPresent(mark -> marks.put(file, mark)));
    return marks;
  }

  private Map<String, String> saved() {
    try {
      return store.checkpoints().checkpoint(NAME).map(Checkpoint::attributes).orElse(Map.of());
    } catch (MemoryException e) {
      if (e.code().kind() != ErrorCode.Kind.CORRUPT) {
        throw e;
      }
      return Map.of();
    }
  }

  /// Forgets files that are gone.
  private void save(Map<String, Mark> marks) {
    Map<String, String> kept = new HashMap<>();
    for (StoreFile file : store.files().files()) {
      Mark mark = marks.get(file.name());
      if (mark != null) {
        kept.put(file.name(), mark.text());
      }
    }
    store.commit(Commit.of(new Checkpoint(NAME, 0, kept)));
  }

  private void goOn(int bytes) {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(ErrorCode.CLOSED, STOPPED);
    }
  }

  private final class Pace {

    private static final long WORK_MILLIS = 50;

    private final long bytesPerSecond;
    private long ahead;

    Pace(long bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
    }

    void keep(int bytes) {
      goOn(bytes);
      ahead += bytes;
      long millis = ahead * 1000 / bytesPerSecond;
      if (millis < WORK_MILLIS) {
        return;
      }
      ahead = 0;
      sleeper.sleep(Duration.ofMillis(millis), STOPPED);
    }
  }
}
