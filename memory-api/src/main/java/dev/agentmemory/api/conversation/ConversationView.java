package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;

/// A conversation, which is a session with its state, its metadata and its counts.
///
/// @param startedAt time of its first event
/// @param endedAt when it became idle; empty while it is active
/// @param user whom the agent talks to
public record ConversationView(
    SessionId session,
    RefCode refCode,
    ChannelName channel,
    ConversationStatus status,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> agent,
    Optional<String> user,
    SessionPreferences preferences,
    SessionOverrides overrides) {}
