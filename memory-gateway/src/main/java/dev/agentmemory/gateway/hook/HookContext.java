package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.HookReplies;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.text.RecalledText;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The text that a session is given: the orientation at its start, evidence for a prompt. A line
/// that a session was given before is not given again, also after a restart, unless the agent has
/// compacted or cleared the conversation since.
final class HookContext {

  private static final int TOKENS_AT_START = 1500;
  private static final int TOKENS_AT_PROMPT = 700;
  private static final double LEAST_RELEVANCE = 0.3;
  private static final int SHORTEST_PROMPT = 12;
  private static final int MOST_SESSIONS = 128;
  private static final int MOST_LINES = 256;

  /// Each begins with the heading of its session.
  private static final Pattern PART = Pattern.compile("(?m)^(?=## )");

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

  /// The body of an answer; empty when there is nothing to say.
  String answer(HookCapture capture, String event, WorkspaceName workspace) {
    boolean taken = !HookReplies.context(capture.agent(), event, "x").isEmpty();
    if (!taken || capture.session().isEmpty()) {
      return "";
    }
    SessionId session = capture.session().get();
    String text =
        found(capture, workspace)
            .map(markdown -> fresh(session, markdown, HookReplies.limit(capture.agent())))
            .orElse("");
    return text.isBlank()
        ? ""
        : HookReplies.context(capture.agent(), event, RecalledText.wrap(text));
  }

  private Optional<String> found(HookCapture capture, WorkspaceName workspace) {
    Optional<String> prompt = capture.prompt().filter(text -> text.length() >= SHORTEST_PROMPT);
    if (capture.moment() == Moment.SESSION_START) {
      forgetIfLost(capture);
      return Optional.of(asked(workspace, memory -> orientation(memory, capture)));
    }
    return capture.moment() == Moment.PROMPT
        ? prompt
            .map(text -> asked(workspace, memory -> evidence(memory, text)))
            .map(markdown -> ofOthers(markdown, capture.session().orElseThrow()))
        : Optional.empty();
  }

  /// One question to a memory.
  private interface Question {
    String of(Memory memory);
  }

  private String asked(WorkspaceName workspace, Question question) {
    try (WorkspaceSource.Lease lease = source.lease(Optional.of(workspace), Access.READ).join()) {
      return question.of(lease.memory());
    }
  }

  private static String orientation(Memory memory, HookCapture capture) {
    var viewer = new MemorySearch.Viewer(capture.session(), Optional.empty());
    return memory.recall().orient(new OrientationRequest("", viewer, TOKENS_AT_START)).markdown();
  }

  private String evidence(Memory memory, String prompt) {
    String query = prompt.substring(0, Math.min(prompt.length(), SearchRequest.MAX_QUERY));
    return memory
        .search()
        .context(
            new ContextRequest(
                query, Filters.NONE, TOKENS_AT_PROMPT, LEAST_RELEVANCE, clock.instant()))
        .markdown();
  }

  /// Without the parts of a session, which it knows itself. The prompt that is being answered is
  /// among them.
  static String ofOthers(String markdown, SessionId session) {
    String end = "session " + session.value();
    return PART.splitAsStream(markdown)
        .filter(part -> part.lines().findFirst().filter(line -> line.endsWith(end)).isEmpty())
        .collect(Collectors.joining());
  }

  /// After a compaction the model no longer has what it was given.
  private void forgetIfLost(HookCapture capture) {
    boolean lost =
        capture.events().stream()
            .map(event -> event.metadata().getOrDefault(AgentMetadata.REASON, ""))
            .anyMatch(reason -> reason.equals("compact") || reason.equals("clear"));
    if (lost) {
      try (var _ = lock.hold()) {
        given.remove(capture.session().orElseThrow().value());
      }
    }
  }

  /// The lines that the session has not been given, within a limit.
  private String fresh(SessionId session, String markdown, int limit) {
    try (var _ = lock.hold()) {
      Set<String> known = given.computeIfAbsent(session.value(), _ -> new LinkedHashSet<>());
      List<String> lines = new ArrayList<>();
      int chars = ENVELOPE;
      boolean anyNew = false;
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
          anyNew = true;
          known.add(brief);
        }
      }
      bound(known);
      return anyNew ? String.join("\n", lines) : "";
    }
  }

  private void bound(Set<String> known) {
    while (known.size() > MOST_LINES) {
      known.remove(known.iterator().next());
    }
    if (given.size() > MOST_SESSIONS) {
      given.remove(given.keySet().iterator().next());
    }
    List<String> all = new ArrayList<>();
    given.forEach((session, lines) -> all.add(session + "\t" + String.join("\t", lines)));
    AgentFiles.replace(file, all);
  }
}
