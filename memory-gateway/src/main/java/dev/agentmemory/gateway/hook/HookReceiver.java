package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.agents.spool.SpoolFolder;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the messages of hooks, by `POST /hooks/{agent}/{event}` and from the spool, and reads the
/// transcripts that they name. A post is answered when its events are durable: always with 200, and
/// with a body only where the agent takes a context.
public final class HookReceiver implements Route, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HookReceiver.class);

  private static final String PREFIX = "/hooks/";
  private static final long MOST_BYTES = 32L << 20;
  private static final int MOST_QUESTIONS = 4;

  /// Answers that wait to be recorded.
  private static final int MOST_UNRECORDED = 256;

  /// How long the end waits for them.
  private static final Duration RECORDING = Duration.ofSeconds(5);

  /// A hook that has not ended by then was killed.
  private static final Duration DRAFTS = Duration.ofHours(1);

  /// Named here because a call has no list of its headers.
  private static final String[] VARIABLES = {
    "PWD",
    "MEMORY_WORKSPACE",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
    "COPILOT_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME"
  };

  private final InstantSource clock;
  private final HookConfig config;
  private final HookCounts counts = new HookCounts();
  private final SpoolFolder spool;
  private final HookStore store;
  private final HookContext context;
  private final TranscriptFollower follower;
  private final SpoolDrain drain;
  private final ErasedHooks erased;
  private final BackgroundLoop draining;
  private final BackgroundLoop following;
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
  private final ContextThreads contexts = new ContextThreads(MOST_QUESTIONS, MOST_QUESTIONS);
  private final ContextThreads recordings = new ContextThreads(1, MOST_UNRECORDED);

  private HookReceiver(InstantSource clock, HookConfig config, WorkspaceSource source)
      throws IOException {
    this.clock = clock;
    this.config = config;
    ProjectNames.write(config.data(), config.agents().workspaces());
    spool = new SpoolFolder(config.data().resolve("spool"));
    spool.restore();
    spool.rejectDrafts(clock.instant().minus(DRAFTS));
    store = new HookStore(config, source, counts);
    context = new HookContext(clock, source, config.data());
    follower = new TranscriptFollower(clock, config, store, counts);
    following = new BackgroundLoop("memory-transcripts", follower::step);
    drain = new SpoolDrain(clock, spool, store, counts, this::follow);
    draining = new BackgroundLoop("memory-spool", drain::step);
    erased = new ErasedHooks(clock, config.data(), spool, store, context, counts, drain, follower);
  }

  /// Creates the spool where there is none, and begins to drain it.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the spool or the folder `agents` cannot be used
  public static HookReceiver start(InstantSource clock, HookConfig config, WorkspaceSource source) {
    try {
      var receiver = new HookReceiver(clock, config, source);
      receiver.draining.start();
      receiver.following.start();
      return receiver;
    } catch (IOException | UncheckedIOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          ("the folders spool and agents in %s cannot be used: %s; check that both are folders that"
                  + " you can write to")
              .formatted(config.data(), e.getMessage()),
          e);
    }
  }

  @Override
  public String prefix() {
    return PREFIX;
  }

  @Override
  public long mostBytes() {
    return MOST_BYTES;
  }

  /// What happened since the start.
  public HookCounts counts() {
    return counts;
  }

  /// The tool calls that hooks and transcripts have named.
  public ToolUseDirectory toolUses() {
    return store.uses();
  }

  /// The files of hooks and transcripts, from which is removed what has to be forgotten.
  public ConversationFiles files() {
    return erased;
  }

  /// How many files of the spool were no entries.
  public long rejected() {
    return spool.rejected();
  }

  /// What came and was passed over, for `status`.
  ///
  /// @param refused requests that the HTTP server refused
  public GatewayReport report(Map<RefusalReason, Long> refused) {
    Map<String, Long> hooks = new HashMap<>();
    counts.all().forEach((outcome, count) -> hooks.put(word(outcome), count));
    Map<String, Long> requests = new HashMap<>();
    refused.forEach((reason, count) -> requests.put(word(reason), count));
    return new GatewayReport(
        hooks,
        new GatewayReport.Spool(drain.waiting(), spool.rejected()),
        requests,
        Map.of(),
        new GatewayReport.Recording(
            config.agents().excluded().stream().map(Path::toString).sorted().toList(),
            config.agents().privateWord(),
            store.privateSessions()));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void check(Caller caller) {
    caller.require(Role.WRITER);
    // The directory of a hook decides about its workspace, and its answer contains what is stored.
    caller.requireAll();
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    String[] parts = call.path().substring(PREFIX.length()).split("/", 2);
    Optional<Agent> agent = Agent.of(parts[0]);
    if (agent.isEmpty() || !call.method().equals("POST")) {
      counts.add(agent.isEmpty() ? Outcome.UNKNOWN_AGENT : Outcome.UNREADABLE);
      return CompletableFuture.completedFuture(HttpReply.empty(200));
    }
    var message =
        new HookMessage(
            agent.get(),
            parts.length > 1 ? parts[1] : "",
            call.text(),
            variables(call),
            clock.instant());
    return taken(message, call.header("memory-spooled"))
        .thenCompose(read -> reply(read, message))
        .exceptionally(e -> {
          // What hooks send is in the spool, too, and is tried again from there.
          LOG.warn("a message of a hook of {} could not be stored", agent.get().id(), e);
          return empty(Outcome.FAILED);
        })
        .thenApply(HttpReply::json);
  }

  /// Counts why an answer is empty. An agent would show an error to its user, who cannot do
  /// anything about it there.
  private String empty(Outcome why) {
    counts.add(why);
    return "";
  }

  private static Map<String, String> variables(HttpCall call) {
    Map<String, String> found = new HashMap<>();
    for (String name : VARIABLES) {
      call.header("memory-variable-" + name).ifPresent(value -> found.put(name, value));
    }
    return found;
  }

  /// Stores a message. One that lies in the spool, too, is stored as the spool has it, by whoever
  /// comes first: both get the same events from it.
  private CompletableFuture<HookStore.Read> taken(HookMessage posted, Optional<String> spooled) {
    Optional<Path> file = spooled.flatMap(spool::file);
    try {
      Optional<HookMessage> entry = file.isPresent() ? spool.read(file.get()) : Optional.empty();
      HookMessage message = entry.orElse(posted);
      expectEnds(message);
      HookStore.Read read = store.read(message);
      if (file.isPresent() && entry.isEmpty()) {
        return CompletableFuture.completedFuture(read);
      }
      return store
          .store(read)
          .thenApply(_ -> {
            file.ifPresent(HookReceiver::delete);
            follow(read);
            return read;
          });
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// The end of a session that was cleared may still lie in the spool when the next one starts.
  private void expectEnds(HookMessage start) throws IOException {
    if (start.event().equalsIgnoreCase("SessionStart") && start.body().contains("\"clear\"")) {
      Instant since = start.received().minus(ClearedSessions.BETWEEN);
      spool.entries("SessionEnd", since).forEach(store::expect);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void follow(HookStore.Read read) {
    follower.follow(read);
    following.wake();
  }

  /// The context, or nothing once the deadline has passed or too many are being looked up.
  private CompletableFuture<String> reply(HookStore.Read read, HookMessage message) {
    Duration left =
        config.agents().deadline().minus(Duration.between(message.received(), clock.instant()));
    // One that takes no context does not wait for those that are being looked up.
    if (!config.agents().context()
        || !read.recorded()
        || !HookContext.isTaken(read.capture().agent(), message.event())
        || !left.isPositive()
        || !questions.tryAcquire()) {
      return CompletableFuture.completedFuture("");
    }
    return lookedUp(read, message)
        .completeOnTimeout(HookContext.Answer.NONE, left.toMillis(), TimeUnit.MILLISECONDS)
        .thenApply(answer -> {
          if (!answer.body().isEmpty()) {
            context.gave(answer);
            answer.told().ifPresent(this::record);
            counts.add(Outcome.ANSWERED_WITH_CONTEXT);
          }
          return answer.body();
        })
        .exceptionally(e -> {
          LOG.warn("no context for a hook of {}", message.agent().id(), e);
          return empty(Outcome.CONTEXT_FAILED);
        });
  }

  /// The session does not wait for it.
  private void record(HookContext.Told told) {
    try {
      recordings.execute(() -> context.record(told));
    } catch (RejectedExecutionException e) {
      LOG.warn("what a session was told is not recorded", e);
    }
  }

  /// Looks a context up for which a permit was acquired, and releases that.
  private CompletableFuture<HookContext.Answer> lookedUp(HookStore.Read read, HookMessage message) {
    WorkspaceName workspace = read.workspace().orElseThrow();
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return context.answer(read.capture(), message.event(), workspace);
            } finally {
              questions.release();
            }
          },
          contexts);
    } catch (RejectedExecutionException e) {
      questions.release();
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Ends the threads; what is in the spool stays there. What sessions were told is recorded
  /// before.
  @Override
  public void close() {
    draining.close();
    following.close();
    contexts.close();
    int dropped = recordings.finish(RECORDING);
    if (dropped > 0) {
      LOG.warn("{} things that sessions were told are not recorded: no time was left", dropped);
    }
  }
}
