package dev.agentmemory.storage;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.internal.commit.CommitThread;
import dev.agentmemory.storage.internal.commit.DurableProgress;
import dev.agentmemory.storage.internal.commit.Encoder;
import dev.agentmemory.storage.internal.commit.GroupWriter;
import dev.agentmemory.storage.internal.commit.PendingState;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.read.CheckpointRows;
import dev.agentmemory.storage.read.CorruptionReport;
import dev.agentmemory.storage.read.DerivedScan;
import dev.agentmemory.storage.read.EventRows;
import dev.agentmemory.storage.read.GripRows;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.OutboxRows;
import dev.agentmemory.storage.read.RecordRows;
import dev.agentmemory.storage.read.SegmentRows;
import dev.agentmemory.storage.read.SessionRows;
import dev.agentmemory.storage.read.TocRows;
import dev.agentmemory.storage.read.UsageRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.storage.verify.Findings;
import dev.agentmemory.storage.verify.Verifier;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxReader;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.store.UsageReader;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A store in the rows of an engine. An engine opens its rows, makes a store of them, and adds what
/// only it can say.
///
/// One thread at a time writes, and one write makes all commits durable that wait. Reads run on the
/// caller's thread.
public abstract class RowStore implements MemoryStore {

  private final Rows rows;
  private final StoreHeader header;
  private final StoreUpkeep upkeep;
  private final CorruptionReport damage;
  private final CommitFigures measured;
  private final Encoder encoder;
  private final DurableProgress progress;
  private final GroupWriter groups;
  private final CommitThread writer;
  private final EventReader events;
  private final SessionReader sessions;
  private final SegmentReader segments;
  private final TocReader toc;
  private final GripReader grips;
  private final OutboxReader outbox;
  private final CheckpointReader checkpoints;
  private final DerivedReader derived;
  private final UsageReader ledger;
  private final RecordReader records;
  private volatile boolean closing;

  /// Whether everything that was let in has been written.
  private volatile boolean ended;

  /// Rows must not be used again once they are closed.
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param rows of this store alone; nobody else writes them
  /// @param header that the rows have
  /// @param damage is told of what cannot be read
  /// @param queue of the commits that wait
  protected RowStore(
      Rows rows,
      StoreHeader header,
      StoreUpkeep upkeep,
      CorruptionReport damage,
      CommitQueue queue,
      InstantSource clock) {
    this.rows = rows;
    this.header = header;
    this.upkeep = upkeep;
    this.damage = damage;
    this.measured = queue.figures();
    var view = new View(rows, damage);
    var meta = new MetaRows(view);
    this.events = new EventRows(view);
    this.sessions = new SessionRows(view);
    this.segments = new SegmentRows(view);
    this.toc = new TocRows(view);
    this.grips = new GripRows(view);
    this.checkpoints = new CheckpointRows(view);
    this.derived = new DerivedScan(view);
    this.ledger = new UsageRows(view);
    this.records = new RecordRows(view);
    this.encoder = new Encoder(header.digest());
    this.progress = new DurableProgress(meta.counters());
    this.outbox = new OutboxRows(view, this::counters, progress::await);
    this.groups =
        new GroupWriter(
            clock,
            () -> new PendingState(view, header.digest(), meta.counters()),
            rows,
            progress,
            upkeep);
    this.writer = new CommitThread(queue.commits(), queue.bytes(), groups, measured);
  }

  /// The commits that wait to be written.
  ///
  /// @param commits how many may wait
  /// @param bytes how many bytes may wait; a larger commit is let in when none waits
  /// @param figures is told of all commits
  public record CommitQueue(int commits, long bytes, CommitFigures figures) {}

  /// Lets commits in.
  protected final void start() {
    writer.start();
  }

  /// How far the store is durable.
  protected final Counters acknowledged() {
    return progress.counters();
  }

  @Override
  public final List<Receipt> commit(Commit commit) {
    if (writer.isCurrent()) {
      throw new IllegalStateException("a commit from the commit thread would wait for itself");
    }
    checkWritable(commit);
    long begun = measured.nanos();
    try {
      List<Receipt> receipts = writer.write(encoder.prepare(commit)).join();
      measured.acknowledged(begun);
      return receipts;
    } catch (CompletionException e) {
      if (e.getCause() instanceof MemoryException cause) {
        throw new MemoryException(cause.code(), String.valueOf(cause.getMessage()), cause);
      }
      throw e;
    }
  }

  @Override
  public final CompletableFuture<List<Receipt>> submit(Commit commit) {
    checkWritable(commit);
    long begun = measured.nanos();
    Prepared prepared;
    try {
      prepared = encoder.prepare(commit);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<List<Receipt>> answer = writer.submit(prepared);
    // Beside the answer, whose failures must not be wrapped.
    var _ = answer.thenAccept(_ -> measured.acknowledged(begun));
    return answer;
  }

  private void checkWritable(Commit commit) {
    checkOpen();
    upkeep.check(commit);
  }

  private void checkOpen() {
    if (closing) {
      throw Rows.closed();
    }
  }

  @Override
  public final String digest(String text) {
    return header.digest().of(text);
  }

  @Override
  public final boolean wasErased(Event event) {
    return ErasedContent.sought(event).stream()
        .anyMatch(
            text -> records.record(Keys.text(Keys.erased(header.digest().of(text)))).isPresent());
  }

  @Override
  public final EventReader events() {
    return events;
  }

  @Override
  public final SessionReader sessions() {
    return sessions;
  }

  @Override
  public final SegmentReader segments() {
    return segments;
  }

  @Override
  public final TocReader toc() {
    return toc;
  }

  @Override
  public final GripReader grips() {
    return grips;
  }

  @Override
  public final OutboxReader outbox() {
    return outbox;
  }

  @Override
  public final CheckpointReader checkpoints() {
    return checkpoints;
  }

  @Override
  public final DerivedReader derived() {
    return derived;
  }

  @Override
  public final UsageReader ledger() {
    return ledger;
  }

  @Override
  public final RecordReader records() {
    return records;
  }

  @Override
  public final ZoneId zone() {
    return header.zone();
  }

  private Counters counters() {
    if (ended) {
      throw Rows.closed();
    }
    return progress.counters();
  }

  @Override
  public final StoreStats stats() {
    Counters now = counters();
    return new StoreStats(
        now.events(),
        now.outboxHead(),
        now.outboxTail(),
        now.dirtyNodes(),
        now.deadLetters(),
        rows.syncs(),
        progress.commits(),
        rows.bytes());
  }

  @Override
  public final StorageFigures figures() {
    return rows.figures();
  }

  @Override
  public final StoreUsage usage() {
    var sizes = StatsCounter.Sizes.of(rows);
    return rows.atOneMoment(moment ->
        new StatsCounter(new View(moment, damage), sizes, () -> mayGoOn(() -> {})).take());
  }

  @Override
  public final Optional<String> problem() {
    return groups.problem();
  }

  @Override
  public final DamageReport damage() {
    return damage.report();
  }

  /// Checks a snapshot of the store. The check ends with `CLOSED` when the store is closed, and
  /// with `STORAGE_FAILED` when the store has to be reopened.
  @Override
  public final List<Finding> verify(int limit, Runnable between) {
    View.checkLimit(limit);
    return rows.atOneMoment(moment -> {
      var findings = new Findings(limit, () -> mayGoOn(between));
      new Verifier(new View(moment, findings), header.digest(), findings).run();
      return findings.list();
    });
  }

  /// @throws MemoryException when a long operation must end, because the store closes or reopens
  private void mayGoOn(Runnable between) {
    checkOpen();
    rows.checkMayGoOn();
    between.run();
  }

  @Override
  public final void compact() {
    rows.compact();
  }

  @Override
  public final void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    closing = true;
    upkeep.stop();
    progress.close();
    writer.close();
    ended = true;
    upkeep.close(progress.counters());
  }
}
