package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.UnrecordedTimes;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.agents.internal.TurnIds;
import dev.agentmemory.agents.transcript.TranscriptState.PendingTool;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One reading of a part of a transcript: what was found, and the line at hand.
final class TranscriptReading {

  final Path file;
  final TurnIds ids;
  TranscriptState state;
  private final Agent agent;
  private final Instant read;
  private final UnrecordedTimes unrecordedTimes;
  private final UnrecordedTimes pausedTimes;
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> skipped = new HashMap<>();
  private long lineOffset;
  private Instant lineTime;
  private Optional<Predicate<Instant>> unrecorded = Optional.empty();
  private Optional<Predicate<Instant>> paused = Optional.empty();
  private Optional<Set<String>> parentLines = Optional.empty();

  TranscriptReading(Agent agent, TranscriptSource from, TranscriptState state) {
    this.agent = agent;
    this.file = from.file();
    this.read = from.read();
    this.lineTime = from.read();
    this.unrecordedTimes = from.unrecorded();
    this.pausedTimes = from.paused();
    this.state = state;
    this.ids = new TurnIds(agent.id());
  }

  /// Begins a line.
  void line(long offset) {
    lineOffset = offset;
  }

  void skip(String type) {
    skipped.merge(type.isEmpty() ? "unknown" : type, 1L, Long::sum);
  }

  void add(Event event) {
    events.add(event);
  }

  /// The time of the line: its own, else that of the line before it.
  Instant time(PayloadFields line) {
    Instant time =
        line.time("timestamp")
            .orElseGet(() -> state.millis > 0 ? Instant.ofEpochMilli(state.millis) : read);
    state.millis = time.toEpochMilli();
    lineTime = time;
    return time;
  }

  /// Whether nothing that was said at a time is kept. The first directory that the transcript names
  /// decides.
  boolean isUnrecorded(Instant time) {
    decide();
    return unrecorded.orElseThrow().test(time);
  }

  private void decide() {
    if (unrecorded.isEmpty()) {
      unrecorded = Optional.of(unrecordedTimes.of(agent, directory()));
      paused = Optional.of(pausedTimes.of(agent, directory()));
    }
  }

  /// Whether nothing of the line is kept.
  boolean isUnrecorded() {
    return isUnrecorded(lineTime);
  }

  /// Whether nothing was recorded at the time of the line, also when it is kept now.
  boolean isPaused() {
    decide();
    return paused.orElseThrow().test(lineTime);
  }

  /// A tool is called, whose result follows.
  void call(String use, String name, String input) {
    state.call(use, new PendingTool(name, isUnrecorded() ? "" : input, isPaused()));
  }

  /// Whether a part of the line is met for the first time. What is not kept is not remembered.
  boolean isFirst(String... parts) {
    return isUnrecorded() || state.seen.isFirst(parts);
  }

  /// Where a turn of the line stands.
  ///
  /// @param index of the turn within the line
  TurnContext context(SessionId session, Instant time, int index) {
    Map<String, String> metadata = new HashMap<>();
    metadata.put(AgentMetadata.DIRECTORY, state.directory);
    metadata.put(AgentMetadata.TURN, state.turn);
    return new TurnContext(agent.id(), session, time, lineOffset + 1 + index, metadata);
  }

  boolean hasStarted() {
    return !state.session.isEmpty();
  }

  /// The session of the transcript starts with this line, unless it has started before.
  void start(TurnContext at, String reason) {
    start(at, reason, "");
  }

  void start(TurnContext at, String reason, String parent) {
    if (!hasStarted()) {
      state.session = at.session().value();
      add(
          TurnEvents.border(
              at,
              ids.start(at.session(), ""),
              EventType.SESSION_START,
              Map.of(AgentMetadata.REASON, reason, AgentMetadata.PARENT, parent)));
    }
  }

  /// The ids of the lines of a fork's parent, read once.
  Set<String> parentLines(Supplier<Set<String>> reader) {
    if (parentLines.isEmpty()) {
      parentLines = Optional.of(reader.get());
    }
    return parentLines.get();
  }

  /// The id of something that is said: derived from its words the first time that they are said in
  /// a scope, else from the id of its line. What is not kept does not count: when it is said again,
  /// the hook of that claims the first time.
  EventId said(EventId byWords, String line) {
    boolean first = !isUnrecorded() && state.seen.isFirst(byWords.value());
    return first || line.isEmpty() ? byWords : ids.line(line);
  }

  /// The id of the result of a tool: derived from what it was called with the first time in a
  /// scope, else from the id of the call. One that was called or has returned while nothing was
  /// recorded has the id of the call, whatever is kept of it.
  ///
  /// @param paused whether nothing was recorded when it was called
  EventId result(EventId byInput, String use, boolean paused) {
    boolean byUse = !use.isEmpty() && (paused || isPaused());
    return byUse ? ids.line(use) : said(byInput, use);
  }

  TranscriptPart part(long offset, boolean more) {
    return new TranscriptPart(events, offset, state.text(), more, skipped, directory());
  }

  private Optional<Path> directory() {
    try {
      return state.directory.isEmpty()
          ? Optional.empty()
          : Optional.of(Path.of(state.directory)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
