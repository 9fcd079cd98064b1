package dev.agentmemory.search;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxReader;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import java.time.ZoneId;

/// What the index is made from and what answers quote: one store.
///
/// @param zone in which days begin
public record Sources(
    EventReader events,
    SessionReader sessions,
    SegmentReader segments,
    TocReader toc,
    GripReader grips,
    OutboxReader outbox,
    ZoneId zone) {

  public static Sources of(MemoryStore store) {
    return of(store, store);
  }

  /// @param visible what of the store is read
  public static Sources of(StoreReader visible, MemoryStore store) {
    return new Sources(
        visible.events(),
        visible.sessions(),
        visible.segments(),
        visible.toc(),
        visible.grips(),
        store.outbox(),
        store.zone());
  }
}
