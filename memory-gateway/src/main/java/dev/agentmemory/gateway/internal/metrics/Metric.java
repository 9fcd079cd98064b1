package dev.agentmemory.gateway.internal.metrics;

/// The metrics of this program. docs/metrics.md has the same names and sentences, and says where
/// the values come from.
enum Metric {
  SESSIONS_ACTIVE(
      "memory.sessions.active",
      "Sessions that have not ended and stored an event within 30 minutes and since the workspace"
          + " was opened"),
  ENTRIES("memory.entries.total", "Curated memories, of the collections that were read"),
  EVENTS("memory.events", "Stored events"),
  SIZE("memory.size.bytes", "Size of the files of the store and of its search index"),
  INDEX_SIZE("memory.index.size.bytes", "Size of the files of the search index"),
  WORKSPACES_KNOWN("memory.workspaces.known", "Workspaces, open or not"),
  WORKSPACES_OPEN("memory.workspaces.open", "Stores that are open and could be read"),
  WORKSPACES_FAILING(
      "memory.workspaces.failing", "Workspaces that take no events or do not put them in order"),

  WRITE_DURATION(
      "memory.operations.write.duration_ms",
      "Time from the call of a commit to its acknowledgement"),
  QUERY_DURATION("memory.operations.query.duration_ms", "Time of a search of events or memories"),
  CONTENTION(
      "memory.locks.contention.count",
      "Commits that waited for others, or were refused by a full queue"),
  COMPACTIONS("memory.compaction.count", "Compactions of the memories of sessions"),
  CORRUPTIONS("memory.errors.corruption.count", "Places of stores that were found unreadable"),

  INGEST_EVENTS("memory.ingest.events", "Events that came"),
  INGEST_DURATION("memory.ingest.duration_ms", "Time from a call with events to its answer"),
  COMMIT_GROUP("memory.commit.group.size", "Commits that were written and synced together"),
  COMMIT_SYNC("memory.commit.sync.duration_ms", "Time of a sync of the log to disk"),

  OUTBOX_LAG("memory.outbox.lag", "Outbox entries that a consumer has not applied"),
  DEAD_LETTERS("memory.outbox.dead_letters", "Outbox entries that could not be applied"),
  TOC_FRESHNESS("memory.toc.freshness_seconds", "Time since the table of contents had every event"),
  TOC_DIRTY(
      "memory.toc.dirty_nodes",
      "Nodes that wait for a rollup, and open segments that wait for their digest"),
  INDEX_FRESHNESS("memory.index.freshness_seconds", "Time since the search index had every event"),
  JOB_RUNS("memory.jobs.runs", "Runs of jobs"),

  MODEL_CALLS("memory.model.calls", "Requests to models in the ledger"),
  MODEL_INPUT("memory.model.tokens.input", "Tokens of requests to models in the ledger"),
  MODEL_OUTPUT("memory.model.tokens.output", "Tokens of answers of models in the ledger"),
  MODEL_TODAY("memory.model.tokens.today", "Tokens of requests and answers of today"),
  CACHE_REQUESTS("memory.cache.requests", "Lookups in caches"),

  BLOCK_CACHE(
      "memory.rocksdb.block_cache.bytes", "Size of the block cache, write buffers included"),
  BLOCK_CACHE_LIMIT("memory.rocksdb.block_cache.limit_bytes", "Limit of the block cache"),
  MEMTABLES("memory.rocksdb.memtable.bytes", "Size of the rows that are not in files yet"),
  PENDING_COMPACTION(
      "memory.rocksdb.compaction.pending_bytes",
      "Estimated bytes that compaction has still to rewrite"),
  ROWS("memory.rocksdb.rows", "Estimated rows of all tables"),
  BACKGROUND_ERRORS(
      "memory.rocksdb.background_errors",
      "Failed flushes and compactions since the store was opened"),
  ROCKS_COMPACTIONS("memory.rocksdb.compactions", "Merges of files"),

  HTTP_REFUSED("memory.http.refused", "HTTP requests that were refused"),
  GRPC_REFUSED("memory.grpc.refused", "Connections and calls of gRPC that were refused or closed"),
  HOOK_MESSAGES("memory.hooks.messages", "Messages of hooks, and transcripts that they name"),
  SPOOL_WAITING("memory.spool.waiting", "Files of the spool that are tried again"),
  RESIDENT_ANONYMOUS(
      "memory.process.rss_anon.bytes",
      "Resident anonymous memory of the process: heap, native memory and stacks"),
  CEILING("memory.process.ceiling.bytes", "Memory near which work is refused");

  private final String id;
  private final String meaning;

  Metric(String id, String meaning) {
    this.id = id;
    this.meaning = meaning;
  }

  /// The name, with dots.
  String id() {
    return id;
  }

  String meaning() {
    return meaning;
  }
}
