package dev.agentmemory.api.gateway;

import java.time.Instant;
import java.util.Optional;

/// Whether the sessions of an agent are recorded, as far as its settings and files of its hooks
/// tell.
///
/// @param agent its id, such as `claude-code`
/// @param lastEvent when its hook last ran; empty if it never did
/// @param lastEventName what that hook reported, in the agent's words, such as `Stop`; empty if it
///   is not known
/// @param lastUnanswered when its hook last got no answer in time; empty if it never happened
/// @param found in words
/// @param good whether nothing has to be done
/// @param remedy what to do; empty if nothing has to be done, or nothing is known to help
public record AgentCapture(
    String agent,
    State state,
    Optional<Instant> lastEvent,
    Optional<String> lastEventName,
    Optional<Instant> lastUnanswered,
    String found,
    boolean good,
    String remedy) {

  /// Whether the hooks are in the agent's settings.
  public enum State {
    CONNECTED,
    /// Some of its files lack our entries.
    PARTLY_CONNECTED,
    /// In settings of projects, not in those of the user.
    CONNECTED_IN_PROJECTS,
    /// Connected, but its settings keep hooks from running.
    SWITCHED_OFF,
    /// Its settings cannot be read.
    UNREADABLE,
    /// It has settings here, without our entries.
    NOT_CONNECTED,
    /// It has no settings here.
    ABSENT
  }
}
