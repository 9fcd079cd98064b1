package dev.agentmemory.agents;

import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.EventIdentity;
import dev.agentmemory.agents.internal.OtherFields;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.agents.internal.TurnIds;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// One call of a hook while it is read. The readers of the agents' payloads say here what they
/// found; without a session nothing of it becomes an event.
final class HookCall {

  /// Fields that have a place of their own, or that repeat others.
  private static final Set<String> KNOWN =
      Set.of(
          "session_id",
          "sessionId",
          "sessionID",
          "conversation_id",
          "agent_id",
          "subagent_id",
          "parent_conversation_id",
          "transcript_path",
          "transcriptPath",
          "agent_transcript_path",
          "cwd",
          "directory",
          "workspace_roots",
          "hook_event_name",
          "timestamp",
          "prompt",
          "prompt_id",
          "turn_id",
          "generation_id",
          "prompt_response",
          "initialPrompt",
          "initial_prompt",
          "last_assistant_message",
          "tool_name",
          "toolName",
          "tool_input",
          "toolArgs",
          "tool_response",
          "tool_result",
          "toolResult",
          "tool_output",
          "tool_use_id",
          "tool_calls",
          "error",
          "text",
          "compact_summary",
          "source",
          "reason",
          "i",
          "o",
          "input",
          "output",
          "properties",
          "attachments",
          "stop_hook_active",
          "llm_request",
          "llm_response",
          "result_json",
          "messages",
          "worktree",
          "type",
          "id");

  /// A clock of an agent that is further ahead is not believed.
  private static final Duration AHEAD = Duration.ofMinutes(1);

  /// A call of a tool takes less.
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Agent agent;
  private final String event;
  private final PayloadFields fields;
  private final Map<String, String> variables;
  private final Instant time;
  private final TurnIds ids;
  private final UnrecordedTimes unrecorded;
  private final List<Event> events = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Optional<SessionId> session = Optional.empty();
  private Moment moment = Moment.OTHER;
  private String prompt = "";
  private String toolUse = "";
  private String directory;
  private String transcript;
  private String turn = "";
  private Map<String, String> common = Map.of();

  HookCall(Agent agent, HookMessage message, PayloadFields fields, UnrecordedTimes unrecorded) {
    this.agent = agent;
    this.unrecorded = unrecorded;
    this.fields = fields;
    this.variables = message.variables();
    this.event =
        message.event().isEmpty() ? fields.text("hook_event_name", "type") : message.event();
    this.ids = new TurnIds(agent.id());
    this.time =
        fields
            .time("timestamp")
            .filter(said -> said.isBefore(message.received().plus(AHEAD)))
            .orElse(message.received());
    this.directory = fields.text("cwd", "directory");
    this.transcript = fields.text("transcript_path", "transcriptPath");
    session(fields.text("session_id", "sessionId", "sessionID", "conversation_id"));
    turn(fields.text("prompt_id", "turn_id", "generation_id"));
  }

  String event() {
    return event;
  }

  PayloadFields fields() {
    return fields;
  }

  TurnIds ids() {
    return ids;
  }

  String variable(String name) {
    return variables.getOrDefault(name, "");
  }

  void session(String id) {
    session = Subsession.session(id);
  }

  /// The id of the turn; kept in the metadata of each event.
  void turn(String id) {
    turn = id;
    Map<String, String> all = new HashMap<>(OtherFields.of(fields, KNOWN));
    all.put(AgentMetadata.DIRECTORY, directory);
    all.put(AgentMetadata.TURN, id);
    common = all;
  }

  /// What an id of a turn, a prompt or an answer is unique in.
  String scope() {
    return turn.isEmpty() ? session.map(SessionId::value).orElse("") : turn;
  }

  void directory(String path) {
    directory = path;
    turn(turn);
  }

  void transcript(String path) {
    if (!path.isEmpty()) {
      transcript = path;
    }
  }

  boolean hasTranscript() {
    return !transcript.isEmpty();
  }

  void moment(Moment now) {
    moment = now;
  }

  void toolUse(String id) {
    toolUse = id;
  }

  Optional<TurnContext> context() {
    return session.map(id -> new TurnContext(agent.id(), id, time, 0, common));
  }

  /// A time that tells repeats of a border from a retry of the same call.
  String occasion() {
    return Long.toString(time.toEpochMilli());
  }

  void add(Event found) {
    events.add(found);
  }

  void start(String reason, boolean resumed) {
    moment = Moment.SESSION_START;
    border(
        EventType.SESSION_START,
        session.map(id -> ids.start(id, resumed ? occasion() : "")),
        reason);
  }

  void end(String reason) {
    moment = Moment.SESSION_END;
    border(EventType.SESSION_END, session.map(id -> ids.end(id, occasion())), reason);
  }

  private void border(EventType type, Optional<EventId> id, String reason) {
    context()
        .ifPresent(at ->
            add(
                TurnEvents.border(
                    at, id.orElseThrow(), type, Map.of(AgentMetadata.REASON, reason))));
  }

  /// The session of this call was started by another one: an event in each of the two.
  void subagentStart(SessionId parent) {
    context()
        .filter(child -> !child.session().equals(parent))
        .ifPresent(child -> {
          add(
              TurnEvents.border(
                  child.at(parent),
                  ids.subagentStart(child.session()),
                  EventType.SUBAGENT_START,
                  Map.of(AgentMetadata.CHILD, child.session().value())));
          add(TurnEvents.childStart(child, ids, parent));
        });
  }

  /// The session of this call is a subagent that has ended: an event in its parent.
  ///
  /// @param answer tells one end from another, since a subagent can be called again
  void subagentStop(SessionId parent, String answer) {
    context()
        .filter(child -> !child.session().equals(parent))
        .ifPresent(child ->
            add(
                TurnEvents.border(
                    child.at(parent),
                    ids.subagentStop(child.session(), answer),
                    EventType.SUBAGENT_STOP,
                    Map.of(AgentMetadata.CHILD, child.session().value()))));
  }

  /// A prompt.
  ///
  /// @param origin what the payload says of it; the text's form can say more
  void prompt(String text, Origin origin) {
    moment = Moment.PROMPT;
    String said = CapturedText.said(text);
    Origin told = origin;
    if (CapturedText.isOfProgram(said)) {
      told = Origin.PROGRAM;
    } else if (CapturedText.isOfCommand(said)) {
      told = Origin.COMMAND;
    } else {
      prompt = said;
    }
    Origin known = told;
    context()
        .ifPresent(at ->
            TurnEvents.prompt(at, ids.prompt(scope(), said), said, known).ifPresent(this::add));
  }

  void answer(String text) {
    String said = CapturedText.said(text);
    context()
        .ifPresent(
            at -> TurnEvents.answer(at, ids.answer(scope(), said), said).ifPresent(this::add));
  }

  /// @param id derived from what the transcript says of the same call
  void tool(EventId id, ToolTurn tool) {
    moment = Moment.TOOL;
    toolUse = tool.use();
    ToolTurn recorded = unrecorded().test(called()) ? tool.withoutInput() : tool;
    context().ifPresent(at -> add(TurnEvents.tool(at, id, recorded)));
  }

  /// When the tool of this call was called, where the agent says how long it took.
  private Instant called() {
    long millis = fields.node("duration_ms", "duration").asLong();
    return time.minusMillis(Math.clamp(millis, 0, LONGEST.toMillis()));
  }

  /// When nothing of the project was recorded.
  Predicate<Instant> unrecorded() {
    return unrecorded.of(agent, path(directory));
  }

  /// An event that no version known here has: its name and its fields are kept.
  void unknown() {
    notes.add("unknown event");
    String name = CapturedText.cut(CapturedText.said(event), 200);
    context()
        .ifPresent(at ->
            TurnEvents.prompt(
                    at,
                    EventIdentity.of(agent.id(), "event", at.session().value(), name, occasion()),
                    name,
                    Origin.PROGRAM)
                .ifPresent(this::add));
  }

  HookCapture capture() {
    if (session.isEmpty()) {
      notes.add("no session");
    }
    return new HookCapture(
        moment,
        session,
        Optional.of(prompt).filter(text -> !text.isEmpty()),
        path(directory),
        path(transcript),
        events,
        Optional.of(toolUse).filter(text -> !text.isEmpty()),
        notes,
        agent);
  }

  private static Optional<Path> path(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(Path.of(text)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
