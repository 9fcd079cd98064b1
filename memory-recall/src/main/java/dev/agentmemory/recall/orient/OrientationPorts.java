package dev.agentmemory.recall.orient;

import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.types.WorkspaceName;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// What orientation needs to know besides memories.
///
/// @param workspace empty for a caller without one
/// @param zone in which days begin
/// @param tokens counts the tokens of a text; 0 for the empty one
/// @param refiner [OrientationRefiner#NONE] unless refinement is configured
public record OrientationPorts(
    Optional<WorkspaceName> workspace,
    ZoneId zone,
    Conversations conversations,
    SessionChannels channels,
    RecentWork work,
    ToIntFunction<String> tokens,
    OrientationRefiner refiner) {}
