package dev.agentmemory.engine.internal.changes;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.FileReader;
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
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.Event;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A store whose commits are noted in a change log, once they are durable. All writes are commits,
/// so none is missed.
///
/// @param used is closed with the store
public record NotedStore(MemoryStore store, UsedLog used) implements MemoryStore {

  @Override
  public List<Receipt> commit(Commit commit) {
    List<Receipt> receipts = store.commit(commit);
    used.log().add(CommittedItems.of(commit, receipts));
    return receipts;
  }

  @Override
  public CompletableFuture<List<Receipt>> submit(Commit commit) {
    return store
        .submit(commit)
        .thenApply(receipts -> {
          used.log().add(CommittedItems.of(commit, receipts));
          return receipts;
        });
  }

  @Override
  public void close() {
    try {
      store.close();
    } finally {
      used.close();
    }
  }

  @Override
  public EventReader events() {
    return store.events();
  }

  @Override
  public SessionReader sessions() {
    return store.sessions();
  }

  @Override
  public SegmentReader segments() {
    return store.segments();
  }

  @Override
  public TocReader toc() {
    return store.toc();
  }

  @Override
  public GripReader grips() {
    return store.grips();
  }

  @Override
  public OutboxReader outbox() {
    return store.outbox();
  }

  @Override
  public CheckpointReader checkpoints() {
    return store.checkpoints();
  }

  @Override
  public DerivedReader derived() {
    return store.derived();
  }

  @Override
  public UsageReader ledger() {
    return store.ledger();
  }

  @Override
  public RecordReader records() {
    return store.records();
  }

  @Override
  public FileReader files() {
    return store.files();
  }

  @Override
  public boolean wasErased(Event event) {
    return store.wasErased(event);
  }

  @Override
  public String digest(String text) {
    return store.digest(text);
  }

  @Override
  public ZoneId zone() {
    return store.zone();
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }

  @Override
  public StorageFigures figures() {
    return store.figures();
  }

  @Override
  public StoreUsage usage() {
    return store.usage();
  }

  @Override
  public Optional<String> problem() {
    return store.problem();
  }

  @Override
  public List<String> notes() {
    return store.notes();
  }

  @Override
  public DamageReport damage() {
    return store.damage();
  }

  @Override
  public List<Finding> verify(int limit, Runnable between) {
    return store.verify(limit, between);
  }

  @Override
  public void compact() {
    store.compact();
  }
}
