package dev.agentmemory.recall.exchange;

import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.types.WorkspaceName;

/// What an export or an import needs of one workspace.
///
/// @param channels of this workspace alone, also if workspaces share a store; so are the others
public record ExchangeWorkspace(
    WorkspaceName name,
    MemoryCollection memories,
    RecordedChannels channels,
    DerivedConversations conversations,
    ScratchpadRows scratchpads) {}
