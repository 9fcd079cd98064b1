package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.ChannelName;
import java.util.function.UnaryOperator;

/// What upkeep needs of other parts of a workspace.
///
/// @param channels the present name of a channel, for memories that an undo brings back after a
///   renaming
public record UpkeepPorts(
    ConversationEnds ends,
    LastExtraction extraction,
    ReplacementRule supersession,
    UnaryOperator<ChannelName> channels) {}
