package dev.agentmemory.recall.internal.record;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rows of the account's store that tell which workspaces state a preference.
public final class StatedPreferences {

  private static final int PAGE = 256;

  private final MemoryStore store;
  private final MemoryKeys keys;
  private final UnreadableRows unreadable;

  StatedPreferences(MemoryStore store, MemoryKeys keys, UnreadableRows unreadable) {
    this.store = store;
    this.keys = keys;
    this.unreadable = unreadable;
  }

  /// All of them by the hash of what they say. Rows that cannot be read are left out, and noted.
  public Map<String, StatedPreference> all() {
    Map<String, StatedPreference> all = new LinkedHashMap<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(keys.stated(), after, PAGE);
      for (StoredRecord row : page) {
        try {
          all.put(row.key().substring(keys.stated().length()), StatedPreference.read(row.value()));
        } catch (MemoryException e) {
          e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
          unreadable.add(row.key(), e);
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
    return all;
  }

  /// Writes one; one that tells nothing is removed.
  public Change put(String hash, StatedPreference preference) {
    String key = keys.stated() + hash;
    return preference.equals(StatedPreference.NONE)
        ? new Change.DropRecord(key)
        : new Change.PutRecord(new StoredRecord(key, preference.write()));
  }
}
