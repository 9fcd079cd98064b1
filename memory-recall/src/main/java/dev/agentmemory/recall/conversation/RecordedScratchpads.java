package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Scratchpads in records. Keys are masked, too, in each call alike, so an entry is found by the
/// key that it was written with.
public final class RecordedScratchpads implements Scratchpads {

  private final ConversationContext context;
  private final ScratchpadRows rows;
  private final SecretMasks masks;
  private final SessionQuota quota;

  public RecordedScratchpads(
      ConversationContext context, ScratchpadRows rows, ConversationPorts ports) {
    this.context = context;
    this.rows = rows;
    this.masks = ports.masks();
    this.quota = ports.quota();
  }

  @Override
  public ScratchpadEntry write(SessionId session, String key, String value) {
    checkSession(session);
    String name = name(key);
    String masked = value(value);
    beforeWrite(session, name, masked);
    try (var _ = context.mutex().hold()) {
      Optional<ScratchpadEntry> before = rows.entry(session, name);
      Instant now = context.now();
      var entry =
          new ScratchpadEntry(name, masked, before.map(ScratchpadEntry::created).orElse(now), now);
      put(session, before, entry);
      return entry;
    }
  }

  /// Writes an entry of an export, with its times. Secrets in it are masked. Restoring twice
  /// changes nothing.
  ///
  /// @return whether it was written; an entry with its key stays as it is
  /// @throws MemoryException like [#write]
  public boolean restore(SessionId session, ScratchpadEntry exported) {
    checkSession(session);
    var entry =
        new ScratchpadEntry(
            name(exported.key()), value(exported.value()), exported.created(), exported.updated());
    beforeWrite(session, entry.key(), entry.value());
    try (var _ = context.mutex().hold()) {
      Optional<ScratchpadEntry> before = rows.entry(session, entry.key());
      if (before.isEmpty()) {
        put(session, before, entry);
      }
      return before.isEmpty();
    }
  }

  /// Whether an entry is stored with the value of an export.
  public boolean isKnown(SessionId session, ScratchpadEntry exported) {
    String value = value(exported.value());
    return rows.entry(session, name(exported.key()))
        .filter(entry -> entry.value().equals(value))
        .isPresent();
  }

  /// Lets the session make space. Another caller may write meanwhile, so what is added is computed
  /// again under the lock.
  private void beforeWrite(SessionId session, String name, String value) {
    Instant now = context.now();
    long added = added(rows.entry(session, name), new ScratchpadEntry(name, value, now, now));
    if (added > 0) {
      quota.beforeWrite(session, added);
    }
  }

  private static long added(Optional<ScratchpadEntry> before, ScratchpadEntry entry) {
    return entry.bytes() - before.map(ScratchpadEntry::bytes).orElse(0L);
  }

  private void put(SessionId session, Optional<ScratchpadEntry> before, ScratchpadEntry entry) {
    if (before.isEmpty() && rows.size(session).entries() >= ScratchpadEntry.MAX_ENTRIES) {
      throw new MemoryException(
          ErrorCode.QUOTA_EXCEEDED,
          "the scratchpad of session %s has %d keys, which is the limit; clear some first"
              .formatted(session, ScratchpadEntry.MAX_ENTRIES));
    }
    long added = added(before, entry);
    if (added > 0) {
      quota.check(session, added);
    }
    rows.put(session, before, entry);
  }

  @Override
  public Optional<ScratchpadEntry> read(SessionId session, String key) {
    return rows.entry(session, name(key));
  }

  @Override
  public List<ScratchpadEntry> list(SessionId session) {
    return rows.entries(session).toList();
  }

  @Override
  public long clear(SessionId session, String key) {
    checkSession(session);
    return clear(session, name(key)::equals);
  }

  @Override
  public long clear(SessionId session) {
    checkSession(session);
    return clear(session, _ -> true);
  }

  private long clear(SessionId session, Predicate<String> keys) {
    try (var _ = context.mutex().hold()) {
      List<String> names = rows.keys(session).stream().filter(keys).toList();
      if (!names.isEmpty()) {
        rows.drop(session, names);
      }
      return names.size();
    }
  }

  private void checkSession(SessionId session) {
    context.owner().checkWritable();
    // Ids that contain a workspace are returned to callers but not accepted from them.
    var _ = SessionId.parse("session_id", session.value());
  }

  private String name(String key) {
    ScratchpadEntry.checkKey(key);
    return masks.mask(key);
  }

  private String value(String json) {
    ScratchpadEntry.checkSize(json);
    return masks.maskJson("value", json);
  }
}
