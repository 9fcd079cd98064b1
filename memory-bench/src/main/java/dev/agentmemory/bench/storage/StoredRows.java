package dev.agentmemory.bench.storage;

import java.util.ArrayList;
import java.util.List;

/// The rows that the daemon has written for events, read from its tables in the order of the
/// events. Each event has three rows (the event, its place in its session, its outbox entry), and
/// each write two more (the session and the counters).
final class StoredRows implements AutoCloseable {

  /// Number of commits in one synced write.
  static final int COMMITS_IN_WRITE = 64;

  private final List<BareStore.Scan> each;
  private final BareStore.Row session;
  private final BareStore.Row counters;

  StoredRows(BareStore store) {
    each = List.of(store.scan("events"), store.scan("sessions"), store.scan("outbox"));
    session = first(store, "conversations");
    counters = first(store, "meta");
  }

  private static BareStore.Row first(BareStore store, String table) {
    try (BareStore.Scan scan = store.scan(table)) {
      return scan.next();
    }
  }

  /// The writes for the next events.
  ///
  /// @throws IllegalStateException when there are too few
  List<List<BareStore.Row>> next(int events) {
    var writes = new ArrayList<List<BareStore.Row>>();
    for (int done = 0; done < events; done += COMMITS_IN_WRITE) {
      var rows = new ArrayList<BareStore.Row>();
      for (int i = done; i < Math.min(done + COMMITS_IN_WRITE, events); i++) {
        for (BareStore.Scan scan : each) {
          if (!scan.hasNext()) {
            throw new IllegalStateException("the daemon has stored fewer rows than expected");
          }
          rows.add(scan.next());
        }
      }
      rows.add(session);
      rows.add(counters);
      writes.add(rows);
    }
    return writes;
  }

  @Override
  public void close() {
    each.forEach(BareStore.Scan::close);
  }
}
