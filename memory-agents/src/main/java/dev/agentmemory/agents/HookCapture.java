package dev.agentmemory.agents;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What a call of a hook says. Everything may be absent: a payload that cannot be read gives an
/// empty capture with the reason in `notes`.
///
/// @param session the session that called; a subagent's has its parent's id and its own
/// @param prompt what was asked, with everything injected taken out; empty for the notifications
///   and commands of the agent itself
/// @param directory the working directory of the agent
/// @param transcript where the agent says it keeps the transcript. Unchecked: see `TranscriptRoots`
/// @param events what the payload itself says, ready to be stored; ids are those that the
///   transcript gives the same turns
/// @param toolUse the agent's id of the tool call that the message is about
/// @param notes what was not understood, for diagnosis; no text of the conversation
/// @param agent the agent that called. It can be another one than the message says: Copilot and
///   Cursor also run the hooks of Claude Code's settings
public record HookCapture(
    Moment moment,
    Optional<SessionId> session,
    Optional<String> prompt,
    Optional<Path> directory,
    Optional<Path> transcript,
    List<Event> events,
    Optional<String> toolUse,
    List<String> notes,
    Agent agent) {

  public HookCapture {
    events = List.copyOf(events);
    notes = List.copyOf(notes);
  }

  /// When in a session an agent calls.
  public enum Moment {
    SESSION_START,
    /// The session goes on after a compaction, as at its start.
    RESTART,
    PROMPT,
    TOOL,
    TURN_END,
    SUBAGENT,
    COMPACTION,
    SESSION_END,
    OTHER
  }

  /// The same with changed events.
  public HookCapture withEvents(UnaryOperator<Event> change) {
    return new HookCapture(
        moment,
        session,
        prompt,
        directory,
        transcript,
        events.stream().map(change).toList(),
        toolUse,
        notes,
        agent);
  }

  /// A capture that says nothing but why.
  static HookCapture unreadable(Agent agent, String reason) {
    return new HookCapture(
        Moment.OTHER,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(reason),
        agent);
  }
}
