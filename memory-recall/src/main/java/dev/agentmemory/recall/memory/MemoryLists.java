package dev.agentmemory.recall.memory;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Lists the memories of some collections, the latest first.
///
/// Of a memory that cannot be read nothing but the id is known. It is counted on the page where it
/// would stand if it was made when its id was, whatever the filter.
record MemoryLists(ReadCollections collections) {

  /// Bytes of rows after which a page ends before its limit.
  private static final long MOST_BYTES = 4 << 20;

  /// Where a memory stands, the latest first. The id that answers show is made only for memories of
  /// several workspaces with the same id: it is costly, and a list compares all memories.
  ///
  /// @param id without a workspace's name
  /// @param shown makes the id that answers show
  private record Place(Instant created, MemoryId id, Supplier<MemoryId> shown)
      implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::created)
            .thenComparing(Place::id)
            .thenComparing(place -> place.shown().get())
            .reversed();

    static Place of(MemoryListToken token) {
      return new Place(token.created(), token.id().plain(), token::id);
    }

    MemoryListToken token() {
      return new MemoryListToken(created, shown.get());
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /// @param entry empty for a memory that cannot be read
  private record Item(Place place, StoredId stored, Optional<MemoryEntry> entry) {

    MemoryCollection memories() {
      return stored.memories();
    }
  }

  private Item of(MemoryCollection memories, MemoryEntry entry) {
    var stored = new StoredId(memories, entry.id());
    return new Item(place(stored, entry.validity().created()), stored, Optional.of(entry));
  }

  private Item unread(MemoryCollection memories, MemoryId id) {
    var stored = new StoredId(memories, id);
    return new Item(place(stored, id.embeddedTime()), stored, Optional.empty());
  }

  private Place place(StoredId stored, Instant created) {
    return new Place(
        created,
        stored.id().plain(),
        () -> collections.workspaces().shown(stored.memories(), stored.id()));
  }

  /// @param asOf lists what was true then; empty: what is true now
  MemoryPage list(MemoryFilter filter, Optional<Instant> asOf, PageRequest page) {
    int limit = page.limit(MemorySearch.DEFAULT_LIMIT, MemorySearch.MAX_LIMIT);
    Optional<Place> after = page.place(token -> MemoryListToken.read(token, filter)).map(Place::of);
    List<Item> items =
        items(filter, asOf).stream()
            .filter(item -> after.isEmpty() || item.place().compareTo(after.get()) > 0)
            .sorted(Comparator.comparing(Item::place))
            .toList();
    List<MemoryRecord> read = new ArrayList<>();
    long skipped = 0;
    long bytes = 0;
    for (int i = 0; i < items.size(); i++) {
      Optional<MemoryEntry> entry = items.get(i).entry();
      bytes += entry.map(MemoryEntry::bytes).orElse(0);
      boolean full = read.size() == limit || bytes > MOST_BYTES;
      if (full && !read.isEmpty()) {
        MemoryListToken last = items.get(i - 1).place().token();
        return new MemoryPage(new Page<>(read, last.write(filter)), skipped);
      }
      MemoryCollection memories = items.get(i).memories();
      Optional<MemoryRecord> memory = entry.flatMap(memories::read);
      memory.ifPresent(found -> read.add(collections.workspaces().shown(memories, found)));
      skipped += memory.isEmpty() && isUnread(items.get(i)) ? 1 : 0;
    }
    return new MemoryPage(new Page<>(read, ""), skipped);
  }

  /// Not deleted in the meantime.
  private static boolean isUnread(Item item) {
    return item.memories().table().isCorrupt(item.stored().id());
  }

  private static boolean isMeant(MemoryEntry entry, MemoryFilter filter, Optional<Instant> asOf) {
    if (asOf.isEmpty()) {
      return filter.superseded() || !entry.isSuperseded();
    }
    Validity validity = entry.validity();
    return filter.superseded()
        ? !validity.validFrom().isAfter(asOf.get())
        : validity.holdsAt(asOf.get());
  }

  private List<Item> items(MemoryFilter filter, Optional<Instant> asOf) {
    EntryFilter all = EntryFilter.of(filter, collections);
    List<Item> items = new ArrayList<>();
    for (MemoryCollection memories : collections.all()) {
      Predicate<MemoryEntry> wanted =
          all.in(memories, session -> collections.workspaces().session(memories, session))
              .and(entry -> isMeant(entry, filter, asOf));
      MemoryTable table = memories.table();
      try (var _ = table.reading()) {
        for (MemoryEntry entry : table.entries()) {
          if (wanted.test(entry)) {
            items.add(of(memories, entry));
          }
        }
        table.corrupt().forEach(id -> items.add(unread(memories, id)));
      }
    }
    return items;
  }
}
