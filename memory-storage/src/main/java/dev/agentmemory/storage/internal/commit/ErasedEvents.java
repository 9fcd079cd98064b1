package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.types.Event;
import java.util.BitSet;
import java.util.List;

/// Recognises events that were erased, for the thread that writes. Their digests are rows of
/// `records`; a Bloom filter in memory answers nearly all lookups of other events. A store that
/// nothing was erased from computes no digest.
final class ErasedEvents {

  /// Bits of the filter for each digest: with three hashes less than one lookup in 100 is in vain.
  private static final int BITS = 16;

  private static final int SMALLEST = 1 << 12;

  private final View view;
  private final ContentDigest digest;
  private BitSet filter = new BitSet();
  private int bits;
  private int digests;

  ErasedEvents(View view, ContentDigest digest) {
    this.view = view;
    this.digest = digest;
    load();
  }

  private void load() {
    int[] rows = new int[1];
    view.scan(Table.RECORDS, Keys.erasedPrefix(), _ -> ++rows[0] > 0);
    digests = rows[0];
    bits = Math.max(SMALLEST, 2 * BITS * digests);
    filter = new BitSet(bits);
    view.scan(
        Table.RECORDS,
        Keys.erasedPrefix(),
        row -> {
          set(Keys.toErased(row.key()));
          return true;
        });
  }

  /// Whether an event was erased.
  boolean has(Event event) {
    if (digests == 0) {
      return false;
    }
    for (String text : ErasedContent.sought(event)) {
      String sought = digest.of(text);
      if (mayHave(sought) && view.has(Table.RECORDS, Keys.erased(sought))) {
        return true;
      }
    }
    return false;
  }

  /// The digests of an event that is erased.
  List<String> digests(Event event, boolean barred) {
    return ErasedContent.kept(event, barred).stream().map(digest::of).toList();
  }

  /// The digest of a text of [ErasedContent].
  String digest(String text) {
    return digest.of(text);
  }

  /// Adds a digest whose row was put. It is in the store before another event is looked up.
  void add(String kept) {
    digests++;
    set(kept);
  }

  /// Makes the filter larger when it has become too full. To be called when what was added is in
  /// the store.
  void trim() {
    if ((long) BITS * digests > bits) {
      load();
    }
  }

  private void set(String sought) {
    for (int i = 0; i < 3; i++) {
      filter.set(bit(sought, i));
    }
  }

  private boolean mayHave(String sought) {
    return filter.get(bit(sought, 0)) && filter.get(bit(sought, 1)) && filter.get(bit(sought, 2));
  }

  /// A digest is random, so its parts are hashes that do not depend on each other.
  private int bit(String sought, int part) {
    return Math.floorMod(sought.substring(8 * part, 8 * part + 8).hashCode(), bits);
  }
}
