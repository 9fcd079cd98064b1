package dev.agentmemory.agents.internal;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;

/// The identities of turns of one agent. Hooks and transcripts use the same methods, so that a turn
/// that comes by both is one event.
///
/// The same words may be said twice in a scope. A hook cannot know it and always claims the first
/// time; a transcript counts ([Occurrences]) and names later ones by the ids of their lines, which
/// a fork copies.
///
/// @param agent the id of the agent
public record TurnIds(String agent) {

  /// A prompt.
  ///
  /// @param scope the agent's id of the prompt, where it has one; else the session
  public EventId prompt(String scope, String text) {
    return EventIdentity.of(agent, "prompt", scope, text);
  }

  /// A text of an assistant.
  ///
  /// @param scope the id of the turn, where it has one; else the session
  public EventId answer(String scope, String text) {
    return EventIdentity.of(agent, "answer", scope, text);
  }

  /// A call of a tool.
  ///
  /// @param scope the session or turn, or "" when the call's id is unique in the world
  /// @param call the id of the call; where there is none, what it was called with
  public EventId tool(String scope, String call) {
    return EventIdentity.of(agent, "tool", scope, call);
  }

  /// The summary of a compaction.
  public EventId compaction(String scope) {
    return EventIdentity.of(agent, "compaction", scope);
  }

  /// The start of a session; a resumption is another event of the same session.
  ///
  /// @param occasion "" for the first start
  public EventId start(SessionId session, String occasion) {
    return EventIdentity.of(agent, "start", session.value(), occasion);
  }

  public EventId end(SessionId session, String occasion) {
    return EventIdentity.of(agent, "end", session.value(), occasion);
  }

  /// The start of a subagent, in its parent's session.
  public EventId subagentStart(SessionId child) {
    return EventIdentity.of(agent, "subagent-start", child.value());
  }

  public EventId subagentStop(SessionId child, String occasion) {
    return EventIdentity.of(agent, "subagent-stop", child.value(), occasion);
  }

  /// A turn by the id of its line, for what was said before with the same words in the same scope.
  public EventId line(String id) {
    return EventIdentity.of(agent, "line", id);
  }
}
