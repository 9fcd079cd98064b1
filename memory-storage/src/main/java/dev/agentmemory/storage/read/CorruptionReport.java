package dev.agentmemory.storage.read;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records what could not be read, and adds to the current call's result what it lacks. Logs each
/// place once, because a damaged record in a busy range would fill the log.
public final class CorruptionReport implements CorruptionListener {

  private static final Logger log = LoggerFactory.getLogger(CorruptionReport.class);
  private static final int MOST_PLACES = 10_000;

  private final InstantSource clock;
  private final Mutex lock = new Mutex();
  private final Set<String> places = new HashSet<>();
  private final List<DamagedRange> ranges = new ArrayList<>();
  private Optional<Instant> since = Optional.empty();

  public CorruptionReport(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void skipped(Table table, DamagedRange range, MemoryException why) {
    PassedOver.add(range);
    found(range);
  }

  @Override
  public void refused(Table table, byte[] key, MemoryException why) {
    found(
        DamagedRange.row(
            table.label(), Keys.text(key), Objects.requireNonNullElse(why.getMessage(), "")));
    throw why;
  }

  /// Records a range that cannot be read.
  public void found(DamagedRange range) {
    if (isNew(range)) {
      log.error(
          "cannot read {} in {}: {}; `memory doctor` lists all such records",
          range.place(),
          range.table(),
          range.reason());
    }
  }

  /// Everything found so far.
  public DamageReport report() {
    try (var _ = lock.hold()) {
      return new DamageReport(places.size(), ranges, since);
    }
  }

  private boolean isNew(DamagedRange range) {
    try (var _ = lock.hold()) {
      if (places.size() >= MOST_PLACES || !places.add(range.table() + " " + range.place())) {
        return false;
      }
      if (ranges.size() < DamageReport.MOST_RANGES) {
        ranges.add(range);
      }
      since = since.or(() -> Optional.of(clock.instant()));
      return true;
    }
  }
}
