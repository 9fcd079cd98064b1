package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.util.Optional;

/// What changes in the metadata of a conversation; what is absent stays.
///
/// @param user whom the agent talks to; at most 256 characters
public record ConversationChange(
    Optional<ChannelName> channel,
    Optional<String> user,
    Optional<SessionPreferences> preferences,
    Optional<SessionOverrides> overrides) {}
