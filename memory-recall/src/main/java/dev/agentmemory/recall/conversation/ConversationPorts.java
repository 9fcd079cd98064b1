package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.Ingest;

/// What conversations need of other parts of a workspace.
///
/// @param ingest stores SESSION_START and SESSION_END events
public record ConversationPorts(
    Ingest ingest,
    SecretMasks masks,
    ChannelUsers users,
    MemoryCounts counts,
    SessionQuota quota,
    SessionCompactor compactor) {}
