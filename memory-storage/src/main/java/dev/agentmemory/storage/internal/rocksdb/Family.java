package dev.agentmemory.storage.internal.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The tables. Each is a column family with options for its use.
///
/// A table that a later format adds is the last one here. The engine numbers tables in the order of
/// their creation, so it has the same number in a new store and in one that was upgraded. A
/// recovery depends on these numbers when it reads a log without a manifest.
public enum Family {
  /// Written once and read by time. Few rewrites matter more than the fastest range read, so it
  /// uses universal compaction. Text compresses well, so it uses zstd on all levels. Every new
  /// event looks up an absent key, so the memtable has a filter, too.
  EVENTS(Shape.LOG, 16 << 20, Lookups.OFTEN_ABSENT),
  SESSIONS(Shape.TABLE, 8 << 20, Lookups.FOUND),
  EVENT_IDS(Shape.TABLE, 4 << 20, Lookups.OFTEN_ABSENT),
  CONVERSATIONS(Shape.TABLE, 4 << 20, Lookups.FOUND),
  TOC_NODES(Shape.TABLE, 4 << 20, Lookups.FOUND),
  TOC_LATEST(Shape.TABLE, 2 << 20, Lookups.FOUND),
  TOC_DIRTY(Shape.TABLE, 2 << 20, Lookups.FOUND),
  TOC_UPGRADES(Shape.TABLE, 1 << 20, Lookups.FOUND),
  SEGMENTS(Shape.TABLE, 4 << 20, Lookups.FOUND),
  GRIPS(Shape.TABLE, 4 << 20, Lookups.FOUND),
  /// A queue. It uses leveled compaction with range deletes, because FIFO compaction drops files by
  /// size and age whether or not their entries were processed.
  OUTBOX(Shape.QUEUE, 8 << 20, Lookups.FOUND),
  DEAD_LETTERS(Shape.TABLE, 2 << 20, Lookups.FOUND),
  CHECKPOINTS(Shape.TABLE, 2 << 20, Lookups.FOUND),
  /// One row for each call of a model. A call takes seconds, so a megabyte of rows is days of
  /// calls.
  USAGE(Shape.TABLE, 1 << 20, Lookups.FOUND),
  META(Shape.TABLE, 2 << 20, Lookups.FOUND),
  /// Rows of other modules, such as curated memories. Each write looks up whether its row exists.
  /// Few are written at a time, so a filter in memory, in every open store, would not pay off.
  RECORDS(Shape.TABLE, 4 << 20, Lookups.FOUND);

  /// How rows are added and removed.
  enum Shape {
    /// Only appended.
    LOG,
    /// Replaced and read at random.
    TABLE,
    /// Appended at one end, deleted by ranges at the other.
    QUEUE
  }

  /// The usual result of a point lookup.
  enum Lookups {
    FOUND,
    OFTEN_ABSENT
  }

  private final Shape shape;
  private final long writeBufferBytes;
  private final Lookups lookups;

  Family(Shape shape, long writeBufferBytes, Lookups lookups) {
    this.shape = shape;
    this.writeBufferBytes = writeBufferBytes;
    this.lookups = lookups;
  }

  Shape shape() {
    return shape;
  }

  long writeBufferBytes() {
    return writeBufferBytes;
  }

  Lookups lookups() {
    return lookups;
  }

  /// Whether a row is written once and deleted only when its event is erased, so that the table can
  /// be read file by file. A row of `events` is replaced when its secrets are masked; the newer one
  /// counts until compaction has removed the other one.
  public boolean isWrittenOnce() {
    return switch (this) {
      case EVENTS, SESSIONS, EVENT_IDS, USAGE -> true;
      case CONVERSATIONS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          TOC_UPGRADES,
          SEGMENTS,
          GRIPS,
          OUTBOX,
          DEAD_LETTERS,
          CHECKPOINTS,
          META,
          RECORDS ->
          false;
    };
  }

  /// The format that added the table.
  public int since() {
    return switch (this) {
      case EVENTS,
          SESSIONS,
          EVENT_IDS,
          CONVERSATIONS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          SEGMENTS,
          GRIPS,
          OUTBOX,
          DEAD_LETTERS,
          CHECKPOINTS,
          META ->
          1;
      case TOC_UPGRADES, USAGE -> 3;
      case RECORDS -> 5;
    };
  }

  public String table() {
    return name().toLowerCase(Locale.ROOT);
  }

  public byte[] bytes() {
    return table().getBytes(StandardCharsets.US_ASCII);
  }
}
