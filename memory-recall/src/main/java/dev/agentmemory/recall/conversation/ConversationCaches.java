package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.recall.internal.record.UnreadableRows;
import dev.agentmemory.spi.measure.CacheUse;
import java.util.Optional;
import java.util.stream.Stream;

/// What is kept in memory of the conversations of a store. All views of the store share it, so each
/// sees what another one wrote.
public final class ConversationCaches {

  /// Each entry takes a few hundred bytes at most.
  private static final int MOST = 16_384;

  /// By the key of the conversation's record; empty for a session without overrides.
  final BoundedCache<String, Optional<SessionOverrides>> overrides = new BoundedCache<>(MOST);

  /// By the key of the conversation's record.
  final BoundedCache<String, StartChannels.Start> starts = new BoundedCache<>(MOST);

  /// By the beginning of the keys of a scratchpad.
  final BoundedCache<String, ScratchpadRows.Size> scratchpads = new BoundedCache<>(MOST);

  /// By the key of the record.
  final BoundedCache<String, ChannelRows.ParsedHistory> histories = new BoundedCache<>(MOST);

  /// Records of conversations.
  final UnreadableRows unreadable = new UnreadableRows();

  /// Forgets everything, after records were changed elsewhere.
  public void clear() {
    Stream.of(overrides, starts, scratchpads, histories).forEach(BoundedCache::clear);
  }

  /// How often records of conversations were found in memory.
  public CacheUse use() {
    return Stream.of(overrides, starts, scratchpads, histories)
        .map(BoundedCache::use)
        .reduce(CacheUse.NONE, CacheUse::plus);
  }

  /// How many records of conversations were found that cannot be read.
  public long unreadable() {
    return unreadable.count();
  }
}
