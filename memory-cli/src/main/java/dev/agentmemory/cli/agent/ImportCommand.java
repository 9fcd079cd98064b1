package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.AgentHome;
import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.recording.RecordingRules;
import dev.agentmemory.agents.transcript.FoundTranscripts;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.cli.agent.history.DaemonTarget;
import dev.agentmemory.cli.agent.history.DryTarget;
import dev.agentmemory.cli.agent.history.GraphImport;
import dev.agentmemory.cli.agent.history.ImportReply;
import dev.agentmemory.cli.agent.history.ImportTarget;
import dev.agentmemory.cli.agent.history.TranscriptImport;
import dev.agentmemory.cli.ingest.IngestRun;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.FileErrors;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Stores sessions that agents recorded themselves.
@Command(
    name = "import",
    description = {
      "Stores the sessions that an agent recorded itself, from its own files; without SOURCE those"
          + " of all agents that have some.",
      "Each run continues where the last one, or the daemon, stopped reading; nothing is stored"
          + " twice. Each session goes to the workspace of its project, unless --workspace names"
          + " another one."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "SOURCE: claude-code, codex, gemini, copilot, cursor, opencode; jsonl (events as",
      "for `memory ingest`); memory-jsonl (the file of a knowledge-graph server, whose",
      "observations become memories). The last three need a PATH; for opencode it is",
      "the output of `opencode export SESSION`."
    })
final class ImportCommand implements Callable<Integer> {

  private static final String JSON_LINES = "jsonl";
  private static final String GRAPH = "memory-jsonl";

  private final AgentContext memory;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SOURCE",
      description = "The agent, or jsonl (default: every agent).")
  private String source = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      description = "A file or folder (default: where the agent keeps its files).")
  private Optional<Path> path = Optional.empty();

  @Option(names = "--dry-run", description = "Read and count, but store nothing.")
  private boolean dryRun;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Leave out what is older, such as 30d or 2026-01-30.")
  private Optional<String> since = Optional.empty();

  @Option(names = "--again", description = "Read from the beginning, also what was read before.")
  private boolean again;

  ImportCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    return switch (source) {
      case "" -> ofAllAgents();
      case JSON_LINES -> lines();
      case GRAPH -> graph();
      default -> {
        Agent agent = agent();
        ImportReply reply = imported(agent, files(agent));
        memory.say(reply);
        yield status(reply.refused());
      }
    };
  }

  private static int status(long refused) {
    return refused > 0 ? ExitCodes.REFUSED : ExitCodes.OK;
  }

  private Agent agent() {
    return Agent.of(source)
        .orElseThrow(() ->
            MemoryException.invalid(
                "SOURCE",
                "is `"
                    + source
                    + "`; expected claude-code, codex, gemini, copilot, cursor, opencode,"
                    + " jsonl or memory-jsonl"));
  }

  private int ofAllAgents() throws IOException {
    long refused = 0;
    boolean found = false;
    for (Agent agent : Agent.values()) {
      FoundTranscripts files = roots().files(agent);
      if (!files.files().isEmpty() || !files.unreadable().isEmpty()) {
        found = true;
        ImportReply reply = imported(agent, files);
        memory.sayOneOfMany(reply);
        refused += reply.refused();
      }
    }
    if (!found) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "no agent has sessions in its usual folder; name the agent and a file or folder");
    }
    return status(refused);
  }

  private ImportReply imported(Agent agent, FoundTranscripts files) throws IOException {
    Function<Optional<Path>, Optional<WorkspaceName>> workspaces = workspaces();
    try (ImportTarget target = dryRun ? new DryTarget(workspaces) : target(workspaces)) {
      return new TranscriptImport(
              memory.system(),
              agent,
              new TranscriptPlaces(memory.data()),
              target,
              memory.screen(),
              new TranscriptImport.Options(
                  start(), again, dryRun, RecordingRules.ofImport(memory.data(), dryRun)))
          .run(files);
    }
  }

  private TranscriptRoots roots() {
    return new TranscriptRoots(AgentHome.of(memory.environment()), memory.environment());
  }

  /// Connects at once, so that a daemon that does not run is told before anything is read.
  private ImportTarget target(Function<Optional<Path>, Optional<WorkspaceName>> workspaces) {
    try (MemoryClient client = memory.connect()) {
      client.ping();
    }
    return DaemonTarget.of(workspaces, memory::connect);
  }

  private Function<Optional<Path>, Optional<WorkspaceName>> workspaces() {
    Optional<WorkspaceName> named = memory.workspace();
    ProjectWorkspaces projects = ProjectNames.workspaces(memory.data());
    // The folders of a directory are searched for a repository, and most directories come often.
    Map<Path, WorkspaceName> known = new HashMap<>();
    return directory ->
        named.or(() -> directory.map(at -> known.computeIfAbsent(at, projects::of)));
  }

  private Optional<Instant> start() {
    return since.map(text -> {
      When when = When.parse("--since", text);
      return when.in(zone(), memory.system().now()).start();
    });
  }

  private ZoneId zone() {
    if (dryRun) {
      return ZoneOffset.UTC;
    }
    try (MemoryClient client = memory.connect()) {
      return Times.of(client).zone();
    }
  }

  private FoundTranscripts files(Agent agent) {
    if (path.isPresent()) {
      return given(path.get());
    }
    if (agent == Agent.OPENCODE) {
      throw MemoryException.invalid(
          "PATH",
          "is missing; OpenCode keeps its sessions in a database. Write one with `opencode export"
              + " SESSION > FILE` and import the file");
    }
    return roots().files(agent);
  }

  private static FoundTranscripts given(Path path) {
    Path place = path.toAbsolutePath().normalize();
    if (!Files.exists(place)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, place + " does not exist; give a file or a folder");
    }
    return FoundTranscripts.of(place);
  }

  private int lines() {
    Path file = onlyFile();
    var run = new IngestRun(memory.screen(), /* strict= */ false, /* numbered= */ true);
    try (var in = Files.newInputStream(file);
        MemoryClient client = memory.connect()) {
      run.send(client, in);
    } catch (IOException e) {
      throw FileErrors.of(e);
    }
    memory.say(run.counts());
    run.remark();
    return run.refused() > 0 ? ExitCodes.REFUSED : ExitCodes.OK;
  }

  private int graph() {
    Path file = onlyFile();
    try (MemoryClient client = memory.connect()) {
      memory.say(new GraphImport(client.recall().memories()).run(file));
      return ExitCodes.OK;
    } catch (IOException e) {
      throw FileErrors.of(e);
    }
  }

  /// The file of a source that has no place of its own and keeps none.
  private Path onlyFile() {
    if (dryRun || since.isPresent() || again) {
      throw MemoryException.invalid(
          "SOURCE", source + " takes none of --dry-run, --since and --again; omit them");
    }
    return path.orElseThrow(
        () -> MemoryException.invalid("PATH", "is missing; give a file to read"));
  }
}
