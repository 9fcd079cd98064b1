package dev.agentmemory.recall.upkeep;

/// What upkeep needs of other parts of a workspace.
public record UpkeepPorts(
    ConversationEnds ends, LastExtraction extraction, ReplacementRule supersession) {}
