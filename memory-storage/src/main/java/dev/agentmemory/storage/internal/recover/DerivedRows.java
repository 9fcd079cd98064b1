package dev.agentmemory.storage.internal.recover;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.storage.internal.codec.ContentDigest;
import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.home.StoreHeader;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.storage.internal.rocksdb.Guard;
import dev.agentmemory.storage.internal.verify.Findings;
import dev.agentmemory.storage.internal.verify.Verifier;
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

  private static final List<Family> CONTENTS =
      List.of(
          Family.TOC_NODES,
          Family.TOC_LATEST,
          Family.TOC_DIRTY,
          Family.TOC_UPGRADES,
          Family.SEGMENTS,
          Family.GRIPS);

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
            View view =
                new View(
                    engine,
                    new Guard(),
                    engine.reading(),
                    (family, range, why) -> damaged[0] = true);
            copyJobs(view, writer);
            for (Family family : wholeLog ? CONTENTS : List.<Family>of()) {
              if (engine.has(family)) {
                copy(view, family, writer);
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
    View view = View.of(target);
    int[] dirty = new int[1];
    view.scanAll(
        Family.TOC_DIRTY,
        row -> {
          dirty[0]++;
          return true;
        });
    Counters stored = StoreHeader.counters(view);
    Counters now = stored.plusDirty(dirty[0] - (int) stored.dirtyNodes());
    writer.put(Family.META, Keys.COUNTERS, now.encode());
    writer.flush();
  }

  private static void copyJobs(View view, BatchWriter writer) {
    view.scanAll(
        Family.CHECKPOINTS,
        row -> {
          byte[] key = row.key();
          if (Keys.text(key).startsWith(JOBS)) {
            writer.put(Family.CHECKPOINTS, key, row.value());
          }
          return true;
        });
  }

  private static void copy(View view, Family family, BatchWriter writer) {
    view.scanAll(
        family,
        row -> {
          writer.put(family, row.key(), row.value());
          return true;
        });
  }

  /// Whether `verify` finds no problem in the copied rows.
  private boolean isConsistent(Database target) {
    var findings = new Findings(1, () -> {});
    new Verifier(new View(target, new Guard(), target.reading(), findings), digest, findings).run();
    return findings.list().isEmpty();
  }
}
