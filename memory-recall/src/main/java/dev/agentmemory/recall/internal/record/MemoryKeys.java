package dev.agentmemory.recall.internal.record;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;

/// Keys of the rows of memories:
///
/// ```
/// memory:{owner}{ulid}              the memory
/// use:{owner}{ulid}                 access count and last access
/// vector:{owner}{ulid}              model and vector
/// history:{owner}{ulid}:{n:06}      former states, n from 1
/// merged:{owner}{ulid}              the memory that it was merged into
/// tombstone:{owner}{ulid}           when and why it was deleted
/// digest:{owner}{digest}            the id of the latest tombstone
/// digest_times:{owner}{digest}      the tombstones, and when what was deleted had its place
/// run:{owner}{ulid}                 what a run of upkeep did
/// run_ids:{owner}{ulid}:{n:06}      the memories that its n-th commit changed, n from 1
/// run_rows:{owner}{ulid}:{n:06}     their rows before and after
/// stated:{owner}{hash}              the workspaces that state a preference; of the account only
/// meta:{owner}recall                revision of all memories
/// meta:{owner}recall_digest_key     key of the digests
/// ```
///
/// @param owner empty in a store of one workspace; in a shared one `@`, the workspace's name and
///   `/`, so that the rows of a workspace stand together. No name begins another one followed by a
///   slash, and no ULID begins with `@`
public record MemoryKeys(String owner) {

  private static final int ROWS = 64;

  /// The rows of a part of a run, see [RunRows].
  private static final String PARTS = "run_rows:";

  /// How many rows with a prefix are read together. Parts of runs have several megabytes where a
  /// former version wrote them: 64 of them fill the heap.
  public static int page(String prefix) {
    return prefix.startsWith(PARTS) ? 1 : ROWS;
  }

  String memories() {
    return "memory:" + owner;
  }

  String memory(MemoryId id) {
    return memories() + id.value();
  }

  String uses() {
    return "use:" + owner;
  }

  String use(MemoryId id) {
    return uses() + id.value();
  }

  String vectors() {
    return "vector:" + owner;
  }

  String vector(MemoryId id) {
    return vectors() + id.value();
  }

  String history(MemoryId id) {
    return "history:" + owner + id.value() + ":";
  }

  /// @param number 1 and up
  String history(MemoryId id, long number) {
    return history(id) + "%06d".formatted(number);
  }

  /// The number of a former state.
  long historyNumber(MemoryId id, String key) {
    return Long.parseLong(key.substring(history(id).length()));
  }

  String allMerged() {
    return "merged:" + owner;
  }

  String merged(MemoryId id) {
    return allMerged() + id.value();
  }

  String tombstones() {
    return "tombstone:" + owner;
  }

  String tombstone(MemoryId id) {
    return tombstones() + id.value();
  }

  String digest(String digest) {
    return "digest:" + owner + digest;
  }

  String digestTimes(String digest) {
    return "digest_times:" + owner + digest;
  }

  String runs() {
    return "run:" + owner;
  }

  String run(MemoryId run) {
    return runs() + run.value();
  }

  /// @param part 1 and up
  String runIds(MemoryId run, int part) {
    return "run_ids:" + owner + run.value() + ":%06d".formatted(part);
  }

  /// @param part 1 and up
  String runRows(MemoryId run, int part) {
    return "run_rows:" + owner + run.value() + ":%06d".formatted(part);
  }

  String statedPreferences() {
    return "stated:" + owner;
  }

  String meta() {
    return "meta:" + owner + "recall";
  }

  String digestKey() {
    return "meta:" + owner + "recall_digest_key";
  }

  /// The id that a key ends with.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when it ends with no id
  static MemoryId id(String prefix, String key) {
    try {
      return MemoryId.of(key.substring(prefix.length()));
    } catch (IllegalArgumentException e) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, "the key of a row has no id: " + key, e);
    }
  }
}
