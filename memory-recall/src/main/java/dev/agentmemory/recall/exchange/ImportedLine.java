package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;

/// What a line says. Nothing is compared with the store yet, and nothing is masked.
sealed interface ImportedLine {

  record OfChannel(Channel channel) implements ImportedLine {}

  record OfConversation(ConversationView conversation) implements ImportedLine {}

  record OfScratchpad(SessionId session, ScratchpadEntry entry) implements ImportedLine {}

  /// What concerns memories.
  sealed interface OfMemories extends ImportedLine {

    /// Whether it belongs to the account.
    boolean ofAccount();
  }

  /// @param foreign whether another program wrote it, so that it does not name its channel
  record OfMemory(MemoryRecord memory, boolean foreign) implements OfMemories {

    @Override
    public boolean ofAccount() {
      return isOfAccount(memory);
    }
  }

  /// @param number its place in the history of the memory, 1 and up
  record OfState(long number, MemoryState state) implements OfMemories {

    @Override
    public boolean ofAccount() {
      return isOfAccount(state.memory());
    }
  }

  record OfMerge(MemoryId id, MemoryId into, boolean ofAccount) implements OfMemories {}

  record OfTombstone(Tombstone tombstone, boolean ofAccount) implements OfMemories {}

  private static boolean isOfAccount(MemoryRecord memory) {
    return switch (memory.place().scope()) {
      case ACCOUNT -> true;
      case CONVERSATION, CHANNEL, WORKSPACE -> false;
    };
  }
}
