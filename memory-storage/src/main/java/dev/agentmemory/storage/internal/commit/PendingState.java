package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The state of the store after the commits that are being written: decides what each change means
/// and adds its rows to the batch. Used by the thread that writes only. After a failed write it is
/// ahead of the store and has to be discarded.
public final class PendingState {

  private static final byte[] NOTHING = new byte[0];

  /// The value of the row of a digest.
  private static final byte[] ERASED = "{}".getBytes(StandardCharsets.US_ASCII);

  private final View view;
  private final KnownEvents known;
  private final ErasedEvents erased;
  private final SessionCache sessions;
  private final NodeVersionCache nodes;
  private final SegmentCache segments;
  private final FlagTable dirty;
  private final FlagTable upgrades;
  private final FlagTable letters;
  private final FlagTable records;
  private Counters counters;
  private Counters written;

  /// @param digest of the content of erased events
  public PendingState(View view, ContentDigest digest, Counters counters) {
    this.view = view;
    this.known = new KnownEvents(view);
    this.erased = new ErasedEvents(view, digest);
    this.sessions = new SessionCache(view);
    this.nodes = new NodeVersionCache(view);
    this.segments = new SegmentCache(view);
    this.dirty = new FlagTable(view, Table.TOC_DIRTY);
    this.upgrades = new FlagTable(view, Table.TOC_UPGRADES);
    this.letters = new FlagTable(view, Table.DEAD_LETTERS);
    this.records = new FlagTable(view, Table.RECORDS);
    this.counters = counters;
    this.written = counters;
  }

  void begin(List<Prepared> group) {
    known.load(group);
  }

  /// Adds a commit to the batch, or nothing of it.
  ///
  /// @throws MemoryException `CONFLICT` when a version does not follow
  List<Receipt> apply(Prepared commit, RowBatch batch) {
    nodes.checkAll(commit.steps());
    var receipts = new ArrayList<Receipt>(commit.appends());
    for (Prepared.Step step : commit.steps()) {
      switch (step) {
        case Prepared.Step.Append append -> receipts.add(append(append, batch));
        case Prepared.Step.Other other -> apply(other, batch);
      }
    }
    commit.always().forEach(change -> change.addTo(batch));
    return receipts;
  }

  /// Adds what is written once for a whole group.
  void finish(RowBatch batch) {
    sessions.writeTo(batch);
    if (!counters.equals(written)) {
      batch.put(Table.META, Keys.COUNTERS, counters.encode());
      written = counters;
    }
  }

  /// Removes cached entries beyond the bounds. Called only when the batch is in the store.
  void trim() {
    erased.trim();
    sessions.trim();
    nodes.trim();
    segments.trim();
    dirty.trim();
    upgrades.trim();
    letters.trim();
    records.trim();
  }

  Counters counters() {
    return counters;
  }

  private Receipt append(Prepared.Step.Append append, RowBatch batch) {
    Event event = append.event();
    var there = known.digest(event.id());
    if (there.isPresent()) {
      boolean same = there.get().equals(append.digest());
      return same ? new Receipt.AlreadyKnown(event.id()) : new Receipt.Conflict(event.id());
    }
    if (erased.has(event)) {
      return new Receipt.Erased(event.id());
    }
    known.add(append);
    EventKey placed = sessions.add(event, append.rows().at());
    counters = counters.plusEvent();
    append.rows().writeTo(batch, placed.position());
    batch.put(Table.OUTBOX, Keys.outbox(counters.outboxHead()), OutboxCodec.encode(placed));
    return new Receipt.Created(event.id());
  }

  private void apply(Prepared.Step.Other step, RowBatch batch) {
    byte[] value = step.value().bytes();
    switch (step.change()) {
      case Change.MaskEvent(Event event) -> mask(event, batch);
      case Change.EraseEvent(SessionId session, EventKey key, boolean barred) ->
          erase(session, key, barred, batch);
      case Change.MaskNode(TocNode node) -> nodes.mask(node, value, batch);
      case Change.PutNode(TocNode node) -> nodes.put(node, value, batch);
      case Change.RetireNode(NodeId node) -> retire(node, batch);
      case Change.DropFormerVersions(NodeId node) -> nodes.dropFormer(node, batch);
      case Change.MarkDirty(NodeId node) ->
          counters = counters.plusDirty(dirty.put(Keys.mark(node), NOTHING, batch));
      case Change.ClearDirty(NodeId node) -> clearDirty(node, batch);
      case Change.MarkUpgrade(NodeId node) -> upgrades.put(Keys.mark(node), NOTHING, batch);
      case Change.ClearUpgrade(NodeId node) -> upgrades.delete(Keys.mark(node), batch);
      case Change.PutSegment(Segment segment) -> segments.put(segment, value, batch);
      case Change.DropSegment(SegmentId segment) -> segments.drop(segment, batch);
      case Change.PutDeadLetter(DeadLetter letter) -> park(letter, value, batch);
      case Change.DropDeadLetter(String consumer, long sequence) ->
          counters =
              counters.plusLetters(letters.delete(Keys.deadLetter(consumer, sequence), batch));
      case Change.TrimOutbox(long through) -> trimOutbox(through, batch);
      case Change.PutRecord(StoredRecord row, boolean isNew) -> {
        byte[] key = Keys.record(row.key());
        if (Keys.startsWith(key, Keys.erasedPrefix())) {
          erased.add(Keys.toErased(key));
        }
        counters =
            counters.plusRecordChange(
                isNew ? records.add(key, value, batch) : records.put(key, value, batch));
      }
      case Change.DropRecord(String key) -> dropRecord(key, batch);
      case Change.AppendEvent _, Change.PutGrip _, Change.DropGrip _, Change.RecordCall _ ->
          throw new AssertionError("prepared otherwise: " + step.change());
    }
  }

  /// Nothing but what may be masked is taken from the event that was passed.
  private void mask(Event masked, RowBatch batch) {
    byte[] key = Keys.event(masked.key());
    byte[] row = view.get(Table.EVENTS, key);
    if (row == null) {
      return;
    }
    Event stored = EventCodec.decode(row);
    Event changed = stored.withContent(masked.text(), masked.metadata()).withAgent(masked.agent());
    String digest = EventCodec.digest(row).orElse("");
    batch.put(Table.EVENTS, key, EventCodec.encode(changed, digest));
    sessions.mask(stored, changed.agent());
    counters = counters.plusEntry();
    batch.put(Table.OUTBOX, Keys.outbox(counters.outboxHead()), OutboxCodec.encode(stored.key()));
  }

  /// The commit is alone in its group, so the rows of its events and sessions are in the store.
  private void erase(SessionId session, EventKey key, boolean barred, RowBatch batch) {
    byte[] rowKey = Keys.event(key);
    Optional<Optional<byte[]>> found =
        view.tolerant(
            Table.EVENTS, rowKey, () -> Optional.ofNullable(view.get(Table.EVENTS, rowKey)));
    if (found.equals(Optional.of(Optional.empty()))) {
      return;
    }
    // A row that cannot be read goes by the key that was asked for.
    Optional<byte[]> row = found.flatMap(stored -> stored);
    EventKey placed = row.map(bytes -> key.withPosition(EventCodec.position(bytes))).orElse(key);
    if (!sessions.erase(session, placed)) {
      return;
    }
    batch.delete(Table.EVENTS, rowKey);
    batch.delete(Table.SESSIONS, Keys.sessionEvent(session, placed));
    if (!Keys.isNatural(key)) {
      batch.delete(Table.EVENT_IDS, Keys.eventId(key.id()));
    }
    row.flatMap(PendingState::readable)
        .ifPresentOrElse(
            event -> erased.digests(event, barred).forEach(kept -> bar(kept, batch)),
            () -> bar(erased.digest(ErasedContent.id(key.id())), batch));
    counters = counters.minusEvent();
    batch.put(Table.OUTBOX, Keys.outbox(counters.outboxHead()), OutboxCodec.encode(key));
  }

  /// Of a damaged event only the id is known.
  private static Optional<Event> readable(byte[] row) {
    try {
      return Optional.of(EventCodec.decode(row));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private void bar(String kept, RowBatch batch) {
    counters = counters.plusRecordChange(records.put(Keys.erased(kept), ERASED, batch));
    erased.add(kept);
  }

  private void retire(NodeId node, RowBatch batch) {
    if (nodes.retire(node, batch)) {
      clearDirty(node, batch);
      upgrades.delete(Keys.mark(node), batch);
    }
  }

  private void clearDirty(NodeId node, RowBatch batch) {
    counters = counters.plusDirty(dirty.delete(Keys.mark(node), batch));
  }

  private void park(DeadLetter letter, byte[] value, RowBatch batch) {
    byte[] key = Keys.deadLetter(letter.consumer(), letter.entry().sequence());
    counters = counters.plusLetters(letters.put(key, value, batch));
  }

  private void dropRecord(String key, RowBatch batch) {
    switch (records.remove(Keys.record(key), batch)) {
      case REMOVED -> counters = counters.plusRecordChange(-1);
      case UNKNOWN -> counters = counters.plusRecordChange(0);
      case FOUND_NONE -> {
        // Nothing was written.
      }
    }
  }

  private void trimOutbox(long through, RowBatch batch) {
    long tail = Math.min(through, counters.outboxHead()) + 1;
    if (tail > counters.outboxTail()) {
      batch.deleteRange(Table.OUTBOX, Keys.outbox(counters.outboxTail()), Keys.outbox(tail));
      counters = counters.trimmed(tail);
    }
  }
}
