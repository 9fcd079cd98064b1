package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.rocksdb.internal.recover.CurrentRecords;
import dev.agentmemory.rocksdb.internal.recover.RawRows;
import dev.agentmemory.storage.codec.CallCodec;
import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Conversation;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.codec.RecordCodec;
import dev.agentmemory.storage.codec.SessionCodec;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.SessionRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rows of a store that is being recovered.
///
/// First all rows that were found are written. Then related rows are made consistent: an event that
/// lacks its rows in other tables gets them, and a row that refers to a missing event is counted as
/// a loss and deleted.
final class RecoveredRows implements RawRows.Visitor {

  private static final byte[] NOTHING = {};

  private final Database engine;
  private final View view;
  private final BatchWriter writer;
  private final Seen seen;
  private final List<RecoveryReport.Loss> losses = new ArrayList<>();
  private final List<RecoveryReport.Range> ranges = new ArrayList<>();
  private Optional<StoreHeader> header = Optional.empty();
  private int unreadable;
  private long knownHead;
  private Optional<Counters> latest = Optional.empty();
  private final Changes changes = new Changes();
  private RecoveryReport.Records records = RecoveryReport.Records.NONE;
  private long events;
  private long missing;
  private long moreLosses;
  private long moreRanges;
  private long moreSequences;

  /// Whether events were erased.
  private boolean hasErased;

  /// What a witness has seen.
  ///
  /// @param sequence the last outbox sequence of this store, 0 for none
  /// @param highest the highest outbox sequence, also of another generation; new ones are higher
  /// @param recordChanges how many changes of records of this store, 0 for none
  record Seen(long sequence, long highest, long recordChanges) {}

  RecoveredRows(Database engine, Seen seen) {
    this.engine = engine;
    this.view = View.of(RocksReader.of(engine));
    this.writer = new BatchWriter(engine);
    this.seen = seen;
  }

  @Override
  public void row(Table table, byte[] key, byte[] value) {
    switch (table) {
      case EVENTS -> putReadable(table, key, value, () -> EventCodec.decode(value));
      case SESSIONS -> putReadable(table, key, value, () -> Keys.toPlaceAtEnd(key));
      case OUTBOX ->
          putReadable(
              table, key, value, () -> OutboxCodec.decode(Keys.toSequence(key), value).event());
      case USAGE -> putReadable(table, key, value, () -> CallCodec.decode(value));
      case RECORDS -> {
        changes.add();
        putReadable(table, key, value, () -> RecordCodec.decode(key, value));
      }
      case CONVERSATIONS -> conversation(key, value);
      case META -> meta(key, value);
      case EVENT_IDS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          TOC_UPGRADES,
          SEGMENTS,
          GRIPS,
          DEAD_LETTERS,
          CHECKPOINTS -> {
        // Derived from the others, or copied as a whole.
      }
    }
  }

  /// Rows of the other tables that are read here are never deleted, or written again afterwards.
  @Override
  public void deletion(Table table, byte[] key) {
    if (table == Table.RECORDS) {
      changes.add();
      writer.delete(table, key);
    }
  }

  @Override
  public void logsBegin() {
    changes.begin(recordChanges());
  }

  /// Finds gaps in the changes of records in the logs. Every batch with such changes ends with the
  /// counters after it, so the counters before it follow from their number.
  private static final class Changes {

    private long counted;
    private long since;
    private long missing;

    /// @param inTables how many changes the counters in the table files include
    void begin(long inTables) {
      counted = inTables;
      since = 0;
      missing = 0;
    }

    void add() {
      since++;
    }

    /// @param now the counters of a batch
    void counted(long now) {
      missing += Math.max(0, now - since - counted);
      counted = Math.max(counted, now);
      since = 0;
    }

    /// @param witnessed how many there were at least
    long missing(long witnessed) {
      return missing + Math.max(0, witnessed - counted);
    }
  }

  private void putReadable(Table table, byte[] key, byte[] value, Supplier<?> decoding) {
    try {
      Object _ = decoding.get();
      writer.put(table, key, value);
    } catch (MemoryException | IllegalArgumentException e) {
      unreadable++;
    }
  }

  /// If a session has several rows, the row that counts the most events is kept.
  private void conversation(byte[] key, byte[] value) {
    try {
      long known = SessionCodec.decode(value).session().events();
      writer.flush();
      byte[] other = view.get(Table.CONVERSATIONS, key);
      if (other == null || SessionCodec.decode(other).session().events() < known) {
        writer.put(Table.CONVERSATIONS, key, value);
      }
    } catch (MemoryException e) {
      unreadable++;
    }
  }

  private void meta(byte[] key, byte[] value) {
    try {
      if (Arrays.equals(key, Keys.STORE)) {
        StoreHeader found = StoreHeader.decode(value);
        if (header.isEmpty() || header.get().schemaVersion() <= found.schemaVersion()) {
          header = Optional.of(found);
        }
      } else if (Arrays.equals(key, Keys.COUNTERS)) {
        Counters found = Counters.decode(value);
        knownHead = Math.max(knownHead, found.outboxHead());
        if (recordChanges() <= found.recordChanges()) {
          latest = Optional.of(found);
        }
        changes.counted(found.recordChanges());
      }
    } catch (MemoryException e) {
      unreadable++;
    }
  }

  /// How many changes of records are known.
  private long recordChanges() {
    return latest.map(Counters::recordChanges).orElse(0L);
  }

  /// The header of the store, if it was found.
  Optional<StoreHeader> header() {
    return header;
  }

  /// Makes all rows consistent.
  ///
  /// @param newDigests whether the key of the digests was lost, so that they are computed again
  ///   from the stored events
  void finish(StoreHeader header, boolean newDigests, CurrentRecords current) {
    writer.flush();
    countRecords(current.settle(engine));
    erase(header.digest());
    entries(header.digest());
    index(newDigests ? Optional.of(header.digest()) : Optional.empty());
    sessions();
    outbox();
  }

  /// Compares the rows of `records` with the last counters that were found. Without counters every
  /// row may have had a newer state.
  ///
  /// @param uncertain how many of them may have had a newer state
  private void countRecords(long uncertain) {
    long[] rows = new long[1];
    view.scanAll(
        Table.RECORDS,
        row -> {
          rows[0]++;
          hasErased |= Keys.startsWith(row.key(), Keys.erasedPrefix());
          return true;
        });
    long restored = rows[0];
    records =
        latest
            .map(counters ->
                new RecoveryReport.Records(
                    restored,
                    Math.max(0, counters.records() - restored),
                    Math.max(0, restored - counters.records()),
                    uncertain,
                    changes.missing(seen.recordChanges())))
            .orElseGet(() -> new RecoveryReport.Records(restored, 0, 0, restored, 0));
  }

  /// Removes events that were erased: files may still have their rows.
  private void erase(ContentDigest digest) {
    view.scanAll(
        Table.EVENTS,
        row -> {
          byte[] key = row.key();
          if (wasErased(digest, Keys.toEvent(key).id())) {
            writer.delete(Table.EVENTS, key);
            writer.delete(Table.SESSIONS, Keys.sessionEvent(EventCodec.decode(row.value())));
          }
          return hasErased;
        });
    writer.flush();
  }

  private boolean wasErased(ContentDigest digest, EventId event) {
    return hasErased && view.has(Table.RECORDS, Keys.erased(digest.of(ErasedContent.id(event))));
  }

  /// Entries without an event show which sequences are missing. All entries are deleted.
  private void entries(ContentDigest digest) {
    var gaps = new Gaps();
    view.scanAll(
        Table.OUTBOX,
        row -> {
          byte[] key = row.key();
          long sequence = Keys.toSequence(key);
          EventKey event = OutboxCodec.decode(sequence, row.value()).event();
          knownHead = Math.max(knownHead, sequence);
          if (!view.has(Table.EVENTS, Keys.event(event)) && !wasErased(digest, event.id())) {
            gaps.add(sequence);
          }
          return true;
        });
    if (seen.sequence() > knownHead) {
      gaps.add(knownHead + 1, seen.sequence());
    }
    gaps.finish();
    writer.clear(Table.OUTBOX);
  }

  /// Combines consecutive sequences to ranges.
  private final class Gaps {

    private long from;
    private long to = -1;

    void add(long sequence) {
      add(sequence, sequence);
    }

    void add(long first, long last) {
      if (first != to + 1) {
        finish();
        from = first;
      }
      to = last;
    }

    void finish() {
      if (to < from || to <= 0) {
        return;
      }
      if (ranges.size() < RecoveryReport.MOST) {
        ranges.add(new RecoveryReport.Range(from, to));
      } else {
        moreRanges++;
        moreSequences += to - from + 1;
      }
    }
  }

  /// Writes the rows of every event in `sessions` and `event_ids`.
  private void index(Optional<ContentDigest> digests) {
    view.scanAll(
        Table.EVENTS,
        row -> {
          byte[] key = row.key();
          Event event = EventCodec.decode(row.value());
          events++;
          digests.ifPresent(
              digest -> writer.put(Table.EVENTS, key, EventCodec.encode(event, digest.of(event))));
          writer.put(Table.SESSIONS, Keys.sessionEvent(event), NOTHING);
          if (!Keys.isNatural(event.key())) {
            writer.put(Table.EVENT_IDS, Keys.eventId(event.id()), key);
          }
          return true;
        });
    writer.flush();
  }

  /// Compares what is recorded for each session with its events.
  private void sessions() {
    var tally = new Tally();
    view.scanAll(
        Table.SESSIONS,
        row -> {
          tally.add(row.key());
          return true;
        });
    tally.finish();
    writer.flush();
    view.scanAll(
        Table.CONVERSATIONS,
        row -> {
          Session known = SessionCodec.decode(row.value()).session();
          if (!hasEvents(known.id())) {
            lose(
                known.id(),
                known.events(),
                Optional.of(known.first().timestamp()),
                Optional.of(known.last().timestamp()));
            writer.delete(Table.CONVERSATIONS, row.key());
          }
          return true;
        });
    writer.flush();
  }

  private boolean hasEvents(SessionId session) {
    boolean[] any = new boolean[1];
    view.scan(
        Table.SESSIONS,
        Keys.sessionPrefix(session),
        row -> {
          any[0] = true;
          return false;
        });
    return any[0];
  }

  private void lose(SessionId id, long count, Optional<Instant> first, Optional<Instant> last) {
    missing += count;
    if (losses.size() < RecoveryReport.MOST) {
      losses.add(new RecoveryReport.Loss(id, count, first, last));
    } else {
      moreLosses++;
    }
  }

  /// The rows of one session.
  private final class Tally {

    private @Nullable SessionId session;
    private long found;
    private long lost;
    private @Nullable Instant firstLost;
    private @Nullable Instant lastLost;

    void add(byte[] key) {
      SessionId next = Keys.toSession(key);
      if (!next.equals(session)) {
        finish();
        session = next;
        found = 0;
        lost = 0;
        firstLost = null;
        lastLost = null;
      }
      EventKey place = Keys.toPlaceAtEnd(key);
      if (view.has(Table.EVENTS, Keys.event(place))) {
        found++;
      } else {
        lost++;
        firstLost = firstLost == null ? place.timestamp() : firstLost;
        lastLost = place.timestamp();
        writer.delete(Table.SESSIONS, key);
      }
    }

    void finish() {
      if (session == null) {
        return;
      }
      SessionId id = session;
      byte[] key = Keys.conversation(id);
      Optional<Session> known =
          Optional.ofNullable(view.get(Table.CONVERSATIONS, key))
              .map(row -> SessionCodec.decode(row).session());
      long unlisted = Math.max(0, known.map(Session::events).orElse(0L) - found - lost);
      if (lost + unlisted > 0) {
        lose(
            id,
            lost + unlisted,
            unlisted == 0 ? Optional.ofNullable(firstLost) : Optional.empty(),
            unlisted == 0 ? Optional.ofNullable(lastLost) : Optional.empty());
      }
      writer.flush();
      Optional<Conversation> now = new SessionRows(view).rebuilt(id);
      now.ifPresentOrElse(
          left -> writer.put(Table.CONVERSATIONS, key, SessionCodec.encode(left)),
          () -> writer.delete(Table.CONVERSATIONS, key));
    }
  }

  /// Writes an outbox entry for every event, with sequences above all known ones, so that each
  /// consumer processes every event again.
  private void outbox() {
    long tail = Math.max(knownHead, seen.highest()) + 1;
    long[] next = {tail};
    view.scanAll(
        Table.EVENTS,
        row -> {
          EventKey event = EventCodec.decode(row.value()).key();
          writer.put(Table.OUTBOX, Keys.outbox(next[0]++), OutboxCodec.encode(event));
          return true;
        });
    writer.put(
        Table.META,
        Keys.COUNTERS,
        new Counters(
                events,
                next[0] - 1,
                tail,
                /* dirtyNodes= */ 0,
                /* deadLetters= */ 0,
                records.restored(),
                Math.max(recordChanges(), seen.recordChanges()))
            .encode());
    writer.flush();
  }

  /// Whether nothing is known to be missing.
  boolean isWhole() {
    return missing == 0 && ranges.isEmpty();
  }

  RecoveryReport report(List<String> damaged, boolean rebuilds, boolean headerLost) {
    var all = new ArrayList<>(damaged);
    if (unreadable > 0) {
      all.add(unreadable + " rows were found but cannot be decoded");
    }
    var more = new RecoveryReport.More(moreLosses, moreRanges, moreSequences);
    return new RecoveryReport(
        events, missing, losses, ranges, more, records, all, rebuilds, headerLost);
  }
}
