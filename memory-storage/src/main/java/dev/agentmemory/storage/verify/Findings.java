package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.CorruptionListener;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The findings of a check.
public final class Findings implements CorruptionListener {

  private static final String UNREADABLE = "cannot be read: ";

  private final int limit;
  private final Runnable mayGoOn;
  private final Set<Finding> found = new LinkedHashSet<>();
  private final List<DamagedRange> ranges = new ArrayList<>();

  public Findings(int limit, Runnable mayGoOn) {
    this.limit = limit;
    this.mayGoOn = mayGoOn;
  }

  void demand(boolean holds, Table table, Object key, String problem) {
    if (!holds && found.size() < limit) {
      found.add(new Finding(table.label(), key.toString(), problem));
    }
  }

  /// Decodes a record. An unreadable record is a finding.
  <T> Optional<T> readable(Table table, byte[] key, Supplier<T> decoding) {
    try {
      return Optional.of(decoding.get());
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      refused(table, key, e);
      return Optional.empty();
    }
  }

  @Override
  public void skipped(Table table, DamagedRange range, MemoryException why) {
    if (found.size() < limit) {
      ranges.add(range);
    }
    demand(false, table, range.place(), unreadable(table, range.reason()));
  }

  /// A check continues with the readable rows. A record of a reported range is not a separate
  /// finding.
  @Override
  public void refused(Table table, byte[] key, MemoryException why) {
    String place = Keys.text(key);
    if (ranges.stream().noneMatch(range -> isIn(range, table, place))) {
      demand(false, table, place, unreadable(table, reason(why)));
    }
  }

  private static boolean isIn(DamagedRange range, Table table, String place) {
    return range.table().equals(table.label())
        && range.from().compareTo(place) <= 0
        && (range.to().isEmpty() || place.compareTo(range.to()) <= 0);
  }

  /// The text after the name of the record.
  private static String reason(MemoryException why) {
    String message = String.valueOf(why.getMessage());
    int at = message.indexOf(UNREADABLE);
    return at < 0 ? message : message.substring(at + UNREADABLE.length());
  }

  private static String unreadable(Table table, String reason) {
    String remedy =
        switch (table) {
          case EVENTS, SESSIONS, EVENT_IDS ->
              "restore a backup, or ingest the source again into a new store";
          case CONVERSATIONS -> "it is rewritten with the next event of the session";
          case TOC_NODES, TOC_LATEST, TOC_DIRTY, TOC_UPGRADES, SEGMENTS, GRIPS, OUTBOX ->
              "`memory jobs run toc_rebuild` rebuilds it from the events";
          case DEAD_LETTERS -> "`memory jobs run toc_rebuild` applies the dead letters";
          case CHECKPOINTS -> "it is rewritten automatically; paused jobs must be paused again";
          case USAGE -> "only `memory usage` is affected; its figures are too low";
          case RECORDS -> "restore a backup; curated memories are not derived from events";
          case META -> "restore a backup";
        };
    return UNREADABLE + reason + "; " + remedy;
  }

  /// @return whether to continue
  /// @throws MemoryException when the store is closing or must be reopened
  boolean more() {
    mayGoOn.run();
    return found.size() < limit;
  }

  public List<Finding> list() {
    return List.copyOf(found);
  }
}
