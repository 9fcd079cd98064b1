package dev.agentmemory.agents;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What a call of a hook says. Everything may be absent: a payload that cannot be read gives an
/// empty capture with the reason in `notes`.
///
/// @param session the session that the events belong to; no event is without one
/// @param prompt the words of a person, with everything injected taken out; empty for the prompt of
///   a program
/// @param directory the working directory of the agent
/// @param transcript where the agent says it keeps the transcript. Unchecked: see
///   `TranscriptRoots`
/// @param events what the payload itself says, ready to be stored; ids are those that the
///   transcript gives the same turns
/// @param toolUse the agent's id of the tool call that the message is about
/// @param notes what was not understood, for diagnosis; no text of the conversation
public record HookCapture(
    Moment moment,
    Optional<SessionId> session,
    Optional<String> prompt,
    Optional<Path> directory,
    Optional<Path> transcript,
    List<Event> events,
    Optional<String> toolUse,
    List<String> notes) {

  public HookCapture {
    events = List.copyOf(events);
    notes = List.copyOf(notes);
  }

  /// When in a session an agent calls.
  public enum Moment {
    SESSION_START,
    PROMPT,
    TOOL,
    TURN_END,
    SUBAGENT,
    COMPACTION,
    SESSION_END,
    OTHER
  }

  /// A capture that says nothing but why.
  static HookCapture unreadable(String reason) {
    return new HookCapture(
        Moment.OTHER,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(reason));
  }
}
