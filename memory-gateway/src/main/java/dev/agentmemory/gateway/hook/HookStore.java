package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.HookReader;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.recording.RecordingRules;
import dev.agentmemory.agents.spool.SpooledText;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Stores what a message of a hook says in the workspace of its project.
final class HookStore {

  private final WorkspaceSource source;
  private final ProjectWorkspaces workspaces;
  private final RecordingRules rules;
  private final HookCounts counts;
  private final Path data;
  private final FollowedTranscripts transcripts;
  private final SeenToolUses uses = new SeenToolUses();
  private final ClearedSessions cleared = new ClearedSessions();

  HookStore(HookConfig config, WorkspaceSource source, HookCounts counts) {
    this.source = source;
    this.counts = counts;
    data = config.data();
    transcripts = new FollowedTranscripts(config);
    workspaces = new ProjectWorkspaces(config.agents().workspaces());
    rules =
        RecordingRules.ofDaemon(
            config.data(), workspaces, config.agents().excluded(), config.agents().privateWord());
  }

  /// A message that was read, and where it belongs.
  ///
  /// @param directory of the project; empty when the agent names none
  /// @param workspace empty when the agent names no directory
  /// @param recorded whether anything of it may be stored
  record Read(
      HookCapture capture,
      Optional<Path> directory,
      Optional<WorkspaceName> workspace,
      boolean recorded) {}

  Read read(HookMessage message) {
    HookCapture capture =
        cleared.linked(
            HookReader.read(message, (agent, named) -> unrecorded(message, agent, named)));
    if (capture.session().isEmpty()) {
      counts.add(Outcome.UNREADABLE);
    }
    Optional<Path> directory = directory(message, capture.agent(), capture.directory());
    Optional<WorkspaceName> workspace = workspace(message, directory);
    workspace.ifPresent(name -> uses.add(capture, name));
    boolean recorded =
        workspace.isPresent()
            && isRecorded(directory, workspace)
            // An agent may work in an excluded project from another one.
            && isRecorded(capture.directory(), Optional.empty())
            && capture.session().filter(rules::isPrivate).isEmpty();
    return new Read(capture, directory, workspace, recorded);
  }

  SeenToolUses uses() {
    return uses;
  }

  FollowedTranscripts transcripts() {
    return transcripts;
  }

  long privateSessions() {
    return rules.privateSessions();
  }

  /// Takes note of a message that is going to be stored later.
  void expect(HookMessage message) {
    var _ = cleared.linked(HookReader.read(message));
  }

  /// A session stays in the project in which it began, also while its agent works in the directory
  /// of another one. Three agents set the variable for their hooks; to others it comes from an
  /// agent that has started them.
  ///
  /// @param named the directory that the message names
  private static Optional<Path> directory(HookMessage message, Agent agent, Optional<Path> named) {
    return directory(message.variables(), agent, named);
  }

  private static Optional<Path> directory(
      Map<String, String> variables, Agent agent, Optional<Path> named) {
    Optional<Path> variable = path(variables.get("CLAUDE_PROJECT_DIR"));
    Optional<Path> directory =
        variableDecides(agent) ? variable.or(() -> named) : named.or(() -> variable);
    return directory.filter(Path::isAbsolute);
  }

  private static boolean variableDecides(Agent agent) {
    return switch (agent) {
      case CLAUDE_CODE, GEMINI, COPILOT -> true;
      case CODEX, CURSOR, OPENCODE -> false;
    };
  }

  private Optional<WorkspaceName> workspace(HookMessage message, Optional<Path> directory) {
    return workspace(message.variables(), directory);
  }

  private Optional<WorkspaceName> workspace(
      Map<String, String> variables, Optional<Path> directory) {
    return Optional.ofNullable(variables.get("MEMORY_WORKSPACE"))
        .flatMap(WorkspaceName::of)
        .or(() -> directory.map(workspaces::of));
  }

  /// The workspace to which a file belongs that is no message; empty when that cannot be told. What
  /// it has lost may have named another directory, so only what decides first is believed.
  Optional<WorkspaceName> workspace(SpooledText text) {
    Optional<Path> named = text.directory().flatMap(directory -> path(directory));
    Optional<Path> directory =
        text.agent().map(agent -> directory(text.variables(), agent, named)).orElse(named);
    boolean lost = named.isEmpty() && text.agent().filter(HookStore::variableDecides).isEmpty();
    return workspace(text.variables(), lost ? Optional.empty() : directory);
  }

  private Predicate<Instant> unrecorded(HookMessage message, Agent agent, Optional<Path> named) {
    Optional<Path> directory = directory(message, agent, named);
    return rules.unrecorded(directory, workspace(message, directory));
  }

  /// When nothing of a transcript was recorded.
  Predicate<Instant> unrecorded(Path directory, WorkspaceName workspace) {
    return rules.unrecorded(Optional.of(directory), Optional.of(workspace));
  }

  /// Whether anything of a transcript may be stored now.
  boolean isRecorded(Path directory, WorkspaceName workspace) {
    return isRecorded(Optional.of(directory), Optional.of(workspace));
  }

  private boolean isRecorded(Optional<Path> directory, Optional<WorkspaceName> workspace) {
    return rules.refusal(directory, workspace).isEmpty();
  }

  private static Optional<Path> path(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Path::of);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /// Completes when the events are durable. Fails when they may be stored later: a full disk, a
  /// workspace that cannot be opened. The transcript that the message names is noted before, so
  /// that a daemon that ends before it reads that does so at its next start.
  CompletableFuture<Void> store(Read read) {
    NamedTranscript.of(read, data).ifPresent(this::note);
    // One from the spool may be older than the switch.
    List<Event> events =
        read.recorded()
            ? rules.captured(
                rules.admitted(read.capture().events()), read.directory(), read.workspace())
            : List.of();
    if (events.size() < read.capture().events().size()) {
      counts.add(Outcome.NOT_RECORDED);
      rules
          .refusal(read.directory(), read.workspace())
          .filter(refusal -> refusal == RecordingRules.Refusal.CAPTURE_UNREADABLE)
          .ifPresent(_ -> counts.add(Outcome.CAPTURE_UNREADABLE));
    }
    return events.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : append(read.workspace().orElseThrow(), events);
  }

  private void note(NamedTranscript transcript) {
    try {
      transcripts.note(transcript);
    } catch (IOException e) {
      // It is read now; only the next start may not know of it.
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// Stores events of a transcript.
  ///
  /// @param prompted whether the transcript has a prompt before them
  /// @return completes when they are durable; with false when none is stored because nothing of the
  ///   project may be stored now. Then they can be stored later
  CompletableFuture<Boolean> store(
      Path directory, WorkspaceName workspace, List<Event> events, boolean prompted) {
    uses.add(events, workspace);
    Optional<Path> in = Optional.of(directory);
    Optional<WorkspaceName> of = Optional.of(workspace);
    // The first prompt decides whether a session is private, also one of which nothing may be
    // stored.
    List<Event> admitted = rules.captured(rules.admitted(events, prompted), in, of);
    // Asked last: while the switch cannot be read, all events are left out above.
    boolean recorded = isRecorded(directory, workspace);
    return admitted.isEmpty() || !recorded
        ? CompletableFuture.completedFuture(recorded)
        : append(workspace, admitted).thenApply(_ -> true);
  }

  private CompletableFuture<Void> append(WorkspaceName workspace, List<Event> events) {
    return source
        .lease(Optional.of(workspace), Access.WRITE)
        .thenCompose(lease -> {
          try {
            return appendUnknown(lease.memory(), events).whenComplete((_, _) -> lease.close());
          } catch (RuntimeException e) {
            lease.close();
            throw e;
          }
        })
        .thenAccept(receipts -> receipts.forEach(this::count));
  }

  /// A turn that came another way before has another time there, and a tool's result another form,
  /// which the log would report as a conflict of its sender.
  private CompletableFuture<List<Receipt>> appendUnknown(Memory memory, List<Event> events) {
    Map<Boolean, List<Event>> known =
        events.stream()
            .collect(
                Collectors.partitioningBy(event -> memory.events().event(event.id()).isPresent()));
    known.getOrDefault(true, List.of()).forEach(_ -> counts.add(Outcome.KNOWN));
    List<Event> unknown = known.getOrDefault(false, List.of());
    return unknown.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : memory.ingest().append(unknown);
  }

  private void count(Receipt receipt) {
    counts.add(
        switch (receipt) {
          case Receipt.Created _ -> Outcome.STORED;
          case Receipt.AlreadyKnown _, Receipt.Conflict _, Receipt.Erased _ -> Outcome.KNOWN;
          case Receipt.Refused _ -> Outcome.REFUSED;
        });
  }
}
