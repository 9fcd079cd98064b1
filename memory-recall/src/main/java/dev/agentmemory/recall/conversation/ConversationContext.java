package dev.agentmemory.recall.conversation;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The store as one caller sees it.
///
/// @param store has the records; it is also the reader unless workspaces share it
/// @param reader has the events and sessions of the owner
/// @param mutex held while records are changed; one for each store, which memories use, too, so
///   that calls between them cannot deadlock
/// @param caches one for each store
public record ConversationContext(
    SystemServices system,
    MemoryStore store,
    StoreReader reader,
    RecordOwner owner,
    Mutex mutex,
    ConversationCaches caches) {

  private static final Logger LOG = LoggerFactory.getLogger(ConversationContext.class);

  /// Now, in whole milliseconds, as records store it.
  Instant now() {
    return Instant.ofEpochMilli(system.clock().millis());
  }

  SessionReader sessions() {
    return reader.sessions();
  }

  RecordReader records() {
    return store.records();
  }

  void commit(List<Change> changes) {
    var _ = store.commit(Commit.of(changes));
  }

  /// Does what a read completes, such as storing a ref code. A read must not fail because the store
  /// cannot be written at the moment; the next one tries again.
  void complete(Runnable write) {
    try {
      write.run();
    } catch (MemoryException e) {
      switch (e.code().kind()) {
        case BUSY, UNAVAILABLE -> LOG.debug("records of conversations were not completed", e);
        case CALLER, MISSING, CONFLICT, CORRUPT, BUG -> throw e;
      }
    }
  }
}
