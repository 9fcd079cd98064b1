package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which deletions have the same digest:
///
/// ```
/// {"schema_version":1,"deletions":[{"tombstone":"01…","placed_ms":1769783400000}]}
/// ```
///
/// The id of the latest one is also in a row of its own, alone: earlier versions read and write
/// only that row.
///
/// @param entries in the order of the deletions
record DigestRow(List<Entry> entries) {

  /// Most entries. The first and the latest ones are kept.
  static final int MOST = 10;

  static final DigestRow NONE = new DigestRow(List.of());

  DigestRow {
    entries = List.copyOf(entries);
  }

  /// @param tombstone of the memory that was deleted
  /// @param placed a time at which what it said had the place that the digest covers; empty when
  ///   that is not known
  record Entry(MemoryId tombstone, Optional<Instant> placed) {

    private static Entry read(JsonNode node) {
      if (!(node instanceof ObjectNode deletion)) {
        throw RecordJson.corrupt("a deletion of a digest is no object");
      }
      return new Entry(
          id(RecordJson.text(deletion, "tombstone")),
          RecordJson.optionalTime(deletion, "placed_ms"));
    }

    private static Entry earlier(Entry one, Entry other) {
      return other.earliest().isBefore(one.earliest()) ? other : one;
    }

    private Instant earliest() {
      return placed.orElse(Instant.MIN);
    }

    private void write(ObjectNode deletion) {
      deletion.put("tombstone", tombstone.value());
      placed.ifPresent(time -> deletion.put("placed_ms", time.toEpochMilli()));
    }
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  static DigestRow read(String value) {
    JsonNode deletions = RecordJson.required(RecordJson.parse(value), "deletions");
    if (!deletions.isArray()) {
      throw RecordJson.corrupt("field deletions is no list");
    }
    List<Entry> entries = new ArrayList<>();
    deletions.forEach(deletion -> entries.add(Entry.read(deletion)));
    return new DigestRow(entries);
  }

  /// Reads the id of a tombstone.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  static MemoryId id(String text) {
    try {
      return MemoryId.of(text);
    } catch (IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD, "a digest has no id of a tombstone: " + text, e);
    }
  }

  String write() {
    ObjectNode row = RecordJson.object().put("schema_version", 1);
    ArrayNode deletions = row.putArray("deletions");
    entries.forEach(entry -> entry.write(deletions.addObject()));
    return RecordJson.write(row);
  }

  /// The tombstone of the latest deletion. There must be one.
  MemoryId latest() {
    return entries.getLast().tombstone();
  }

  /// The row with the latest deletion, which an earlier version may have added without a time.
  DigestRow withLatest(MemoryId tombstone) {
    boolean known = entries.stream().anyMatch(one -> one.tombstone().equals(tombstone));
    return known ? this : with(new Entry(tombstone, Optional.empty()));
  }

  /// The row with another deletion. A memory has one entry, with the earliest time.
  DigestRow with(Entry added) {
    List<Entry> all = new ArrayList<>(entries);
    Optional<Entry> known =
        entries.stream().filter(one -> one.tombstone().equals(added.tombstone())).findFirst();
    known.ifPresent(all::remove);
    all.add(known.map(one -> Entry.earlier(one, added)).orElse(added));
    if (all.size() > MOST) {
      all.remove(1);
    }
    return new DigestRow(all);
  }
}
