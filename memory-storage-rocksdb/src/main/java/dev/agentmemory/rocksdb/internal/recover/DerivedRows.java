package dev.agentmemory.rocksdb.internal.recover;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.storage.verify.Findings;
import dev.agentmemory.storage.verify.Verifier;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.RocksDBException;

/// Copies from a damaged database the rows that are derived from events, if all of them are intact,
/// and the state of jobs. These rows are replaced and deleted repeatedly, so only the engine can
/// determine the current ones. They refer to each other, so a part of them cannot be used.
///
/// @param copy of the database's files
public record DerivedRows(Path copy, StorageConfig config, ContentDigest digest) {

  private static final List<Table> CONTENTS =
      List.of(
          Table.TOC_NODES,
          Table.TOC_LATEST,
          Table.TOC_DIRTY,
          Table.TOC_UPGRADES,
          Table.SEGMENTS,
          Table.GRIPS);

  private static final String JOBS = "checkpoint:job:";

  /// @param wholeLog whether no event is missing; otherwise derived rows could refer to a missing
  ///   one
  /// @return whether the table of contents was copied
  public boolean copyTo(Database target, boolean wholeLog) {
    var writer = new BatchWriter(target);
    boolean whole = false;
    try {
      boolean[] damaged = new boolean[1];
      Database.readDamaged(
          copy,
          config,
          engine -> {
            View view = new View(RocksReader.of(engine), (table, range, why) -> damaged[0] = true);
            copyJobs(view, writer);
            for (Table table : wholeLog ? CONTENTS : List.<Table>of()) {
              if (engine.has(table)) {
                copy(view, table, writer);
              }
            }
          });
      writer.flush();
      count(target, writer);
      whole = wholeLog && !damaged[0] && isConsistent(target);
    } catch (MemoryException | RocksDBException e) {
      // The table of contents is built again, and the jobs start without a history.
      whole = false;
    }
    if (!whole) {
      CONTENTS.forEach(writer::clear);
      count(target, writer);
    }
    return whole;
  }

  /// Sets the counter of dirty nodes to the number of their rows.
  private static void count(Database target, BatchWriter writer) {
    View view = View.of(RocksReader.of(target));
    int[] dirty = new int[1];
    view.scanAll(
        Table.TOC_DIRTY,
        row -> {
          dirty[0]++;
          return true;
        });
    Counters stored = new MetaRows(view).counters();
    Counters now = stored.plusDirty(dirty[0] - (int) stored.dirtyNodes());
    writer.put(Table.META, Keys.COUNTERS, now.encode());
    writer.flush();
  }

  private static void copyJobs(View view, BatchWriter writer) {
    view.scanAll(
        Table.CHECKPOINTS,
        row -> {
          byte[] key = row.key();
          if (Keys.text(key).startsWith(JOBS)) {
            writer.put(Table.CHECKPOINTS, key, row.value());
          }
          return true;
        });
  }

  private static void copy(View view, Table table, BatchWriter writer) {
    view.scanAll(
        table,
        row -> {
          writer.put(table, row.key(), row.value());
          return true;
        });
  }

  /// Whether `verify` finds no problem in the copied rows.
  private boolean isConsistent(Database target) {
    var findings = new Findings(1, () -> {});
    new Verifier(new View(RocksReader.of(target), findings), digest, findings).run();
    return findings.list().isEmpty();
  }
}
