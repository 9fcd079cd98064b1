package dev.agentmemory.recall.internal.record;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which deletions have the same digest. In its row, entries of the form `<ulid>:<epoch ms>` are
/// separated by spaces; an entry without a time, as earlier versions wrote it, is a ULID alone.
///
/// @param entries in the order of the deletions
record DigestRow(List<Entry> entries) {

  /// Most entries. The first and the latest ones are kept.
  static final int MOST = 10;

  private static final String SEPARATOR = " ";
  private static final char BEFORE_TIME = ':';

  DigestRow {
    entries = List.copyOf(entries);
  }

  /// @param tombstone of the memory that was deleted
  /// @param placed a time at which what it said had the place that the digest covers; empty when
  ///   that is not known
  record Entry(MemoryId tombstone, Optional<Instant> placed) {

    private static Entry read(String text) {
      int time = text.indexOf(BEFORE_TIME);
      return time < 0
          ? new Entry(MemoryId.of(text), Optional.empty())
          : new Entry(
              MemoryId.of(text.substring(0, time)),
              Optional.of(Instant.ofEpochMilli(Long.parseLong(text.substring(time + 1)))));
    }

    private static Entry earlier(Entry one, Entry other) {
      return other.earliest().isBefore(one.earliest()) ? other : one;
    }

    private Instant earliest() {
      return placed.orElse(Instant.MIN);
    }

    private String write() {
      return placed
          .map(time -> tombstone.value() + BEFORE_TIME + time.toEpochMilli())
          .orElseGet(tombstone::value);
    }
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  static DigestRow read(String value) {
    try {
      return new DigestRow(Arrays.stream(value.split(SEPARATOR, -1)).map(Entry::read).toList());
    } catch (IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD, "the row of a digest cannot be read: " + value, e);
    }
  }

  String write() {
    return entries.stream().map(Entry::write).collect(Collectors.joining(SEPARATOR));
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
