package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.HookReplies;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.project.AgentFiles;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The text that a session is given: the orientation at its start, evidence for a prompt. A line
/// that a session was given before is not given again, also after a restart, unless the agent has
/// compacted or cleared the conversation since.
final class HookContext {

  private static final Logger LOG = LoggerFactory.getLogger(HookContext.class);

  private static final int TOKENS_AT_START = 1500;
  private static final int TOKENS_AT_PROMPT = 700;

  /// Measured with the built-in model and 700 tokens in two conversations of LoCoMo. At a floor of
  /// 0, 0.3, 0.4, 0.5 and 0.6 the right evidence is among the context of 84, 82, 79, 74 and 70 % of
  /// 160 questions; 100, 15, 10, 8 and 6 % of 120 prompts that were typed to a coding agent get a
  /// context, and 100, 7, 3, 1 and 1 % of 122 questions about other people.
  private static final RelevanceThreshold THRESHOLD = RelevanceThreshold.ofEach(0.4);

  private static final int SHORTEST_PROMPT = 12;
  private static final int MOST_SESSIONS = 128;
  private static final int MOST_LINES = 256;

  /// What the marks of the envelope add to a line, and its first and last line.
  private static final int LINE_MARKS = RecalledText.MARK.length() + 2;

  private static final int ENVELOPE = 128;

  private final InstantSource clock;
  private final WorkspaceSource source;
  private final Path file;
  private final Mutex lock = new Mutex();
  private final Map<String, Set<String>> given = new LinkedHashMap<>();

  HookContext(InstantSource clock, WorkspaceSource source, Path data) {
    this.clock = clock;
    this.source = source;
    file = AgentFiles.folder(data).resolve("given.txt");
    for (String line : AgentFiles.lines(file)) {
      List<String> parts = List.of(line.split("\t", -1));
      given.put(parts.getFirst(), new LinkedHashSet<>(parts.subList(1, parts.size())));
    }
  }

  /// Whether an agent takes a context at an event.
  static boolean isTaken(Agent agent, String event) {
    return !HookReplies.context(agent, event, "x").isEmpty();
  }

  /// An answer that was not sent yet.
  ///
  /// @param body empty when there is nothing to say
  /// @param session that is answered
  /// @param lines those that it has not been given before, in brief
  /// @param told what the body says, to be recorded in the workspace
  record Answer(String body, String session, List<String> lines, Optional<Told> told) {

    static final Answer NONE = new Answer("", "", List.of(), Optional.empty());
  }

  /// What a session is told.
  record Told(WorkspaceName workspace, NewInjection injection) {}

  /// Puts an answer together. Its lines count as given once [#gave] says so.
  Answer answer(HookCapture capture, String event, WorkspaceName workspace) {
    if (!isTaken(capture.agent(), event) || capture.session().isEmpty()) {
      return Answer.NONE;
    }
    SessionId session = capture.session().get();
    Fresh fresh =
        found(capture, workspace)
            .map(markdown -> fresh(session, markdown, HookReplies.limit(capture.agent())))
            .orElse(Fresh.NONE);
    return fresh.lines().isEmpty()
        ? Answer.NONE
        : new Answer(
            HookReplies.context(capture.agent(), event, RecalledText.wrap(fresh.text())),
            session.value(),
            fresh.lines(),
            Optional.of(new Told(workspace, told(capture.moment(), session, fresh.text()))));
  }

  private static NewInjection told(Moment moment, SessionId session, String text) {
    return switch (moment) {
      case SESSION_START ->
          new NewInjection(
              session, InjectionMoment.SESSION_START, InjectionSource.ORIENTATION, text);
      case RESTART ->
          new NewInjection(session, InjectionMoment.RESTART, InjectionSource.ORIENTATION, text);
      case PROMPT ->
          new NewInjection(session, InjectionMoment.PROMPT, InjectionSource.EVIDENCE, text);
      case TOOL, TURN_END, SUBAGENT, COMPACTION, SESSION_END, OTHER ->
          new NewInjection(session, InjectionMoment.OTHER, InjectionSource.OTHER, text);
    };
  }

  /// Records what a session was told. That it cannot be recorded does not matter to the session.
  void record(Told told) {
    try (WorkspaceSource.Lease lease =
        source.lease(Optional.of(told.workspace()), Access.WRITE).join()) {
      var _ = lease.memory().recall().injections().record(told.injection());
    } catch (MemoryException | CompletionException e) {
      LOG.warn("what a session was told is not recorded: {}", e.getMessage());
    }
  }

  /// Says that an answer is sent.
  void gave(Answer answer) {
    try (var _ = lock.hold()) {
      Set<String> known = given.computeIfAbsent(answer.session(), _ -> new LinkedHashSet<>());
      known.addAll(answer.lines());
      bound(known);
    }
  }

  /// Forgets what sessions were given.
  ///
  /// @param meant whether that is one of them
  void forget(Predicate<String> meant) {
    try (var _ = lock.hold()) {
      if (given.keySet().removeIf(meant)) {
        write();
      }
    }
  }

  private Optional<String> found(HookCapture capture, WorkspaceName workspace) {
    Optional<String> prompt = capture.prompt().filter(text -> text.length() >= SHORTEST_PROMPT);
    if (capture.moment() == Moment.SESSION_START || capture.moment() == Moment.RESTART) {
      forgetIfLost(capture);
      return Optional.of(asked(workspace, memory -> orientation(memory, capture)));
    }
    return capture.moment() == Moment.PROMPT
        ? prompt.map(text -> asked(workspace, memory -> evidence(memory, text, capture.session())))
        : Optional.empty();
  }

  /// One question to a memory.
  private interface TextOf {
    String of(Memory memory);
  }

  private String asked(WorkspaceName workspace, TextOf question) {
    try (WorkspaceSource.Lease lease = source.lease(Optional.of(workspace), Access.READ).join()) {
      return question.of(lease.memory());
    }
  }

  private static String orientation(Memory memory, HookCapture capture) {
    var viewer = new MemorySearch.Viewer(capture.session(), Optional.empty());
    return memory.recall().orient(new OrientationRequest("", viewer, TOKENS_AT_START)).markdown();
  }

  /// Without what the session itself said, which it knows. The prompt that is being answered is
  /// part of it.
  private String evidence(Memory memory, String prompt, Optional<SessionId> session) {
    String query = prompt.substring(0, Math.min(prompt.length(), SearchRequest.MAX_QUERY));
    return memory
        .search()
        .context(
            ContextRequest.of(query, TOKENS_AT_PROMPT, clock.instant())
                .withFilters(session.map(Filters.NONE::withNotSession).orElse(Filters.NONE))
                .withThreshold(THRESHOLD))
        .markdown();
  }

  /// After a compaction the model no longer has what it was given, nor does a conversation that was
  /// cleared.
  private void forgetIfLost(HookCapture capture) {
    boolean lost =
        capture.moment() == Moment.RESTART
            || capture.events().stream()
                .map(event -> event.metadata().getOrDefault(AgentMetadata.REASON, ""))
                .anyMatch(reason -> reason.equals("compact") || reason.equals("clear"));
    if (lost) {
      try (var _ = lock.hold()) {
        given.remove(capture.session().orElseThrow().value());
        write();
      }
    }
  }

  /// What a session has not been given.
  ///
  /// @param lines the lines with citations, in brief; empty when there are none
  private record Fresh(String text, List<String> lines) {

    private static final Fresh NONE = new Fresh("", List.of());
  }

  /// The lines that the session has not been given, within a limit.
  private Fresh fresh(SessionId session, String markdown, int limit) {
    Set<String> known = known(session);
    List<String> lines = new ArrayList<>();
    List<String> cited = new ArrayList<>();
    int chars = ENVELOPE;
    for (String line : markdown.split("\n", -1)) {
      String brief = Integer.toHexString(line.hashCode()) + line.length();
      boolean cites = line.contains("[");
      if (cites && known.contains(brief)) {
        continue;
      }
      chars += line.length() + LINE_MARKS;
      if (chars > limit) {
        break;
      }
      lines.add(line);
      if (cites) {
        cited.add(brief);
      }
    }
    return new Fresh(String.join("\n", lines), cited);
  }

  private Set<String> known(SessionId session) {
    try (var _ = lock.hold()) {
      return Set.copyOf(given.getOrDefault(session.value(), Set.of()));
    }
  }

  private void bound(Set<String> known) {
    while (known.size() > MOST_LINES) {
      known.remove(known.iterator().next());
    }
    if (given.size() > MOST_SESSIONS) {
      given.remove(given.keySet().iterator().next());
    }
    write();
  }

  private void write() {
    List<String> all = new ArrayList<>();
    given.forEach((session, lines) -> all.add(session + "\t" + String.join("\t", lines)));
    AgentFiles.replace(file, all);
  }
}
