package dev.agentmemory.engine.internal.local;

import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.ChatClient;
import dev.agentmemory.model.ChatReply;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelException;
import dev.agentmemory.model.Window;
import dev.agentmemory.recall.derive.StatementRefiner.Turn;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/// The model that is asked what of a segment is worth remembering. One for all workspaces; any
/// thread may use it. Opens no connection before it is asked.
///
/// After a failure it is not asked for a time that grows with each failure: extraction goes on
/// without it, and does not wait for a provider that is away.
public final class StatementModel implements AutoCloseable {

  private static final String SCHEMA =
      TextResource.beside(StatementModel.class, "extraction.schema");

  private static final int MAX_OUTPUT_TOKENS = 1000;

  /// How much of a provider's words an error quotes.
  private static final int EXCERPT = 160;

  private static final Duration FIRST_BACKOFF = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 5;

  private final InstantSource clock;
  private final UnaryOperator<String> mask;
  private final Window window;
  private final ChatClient client;
  private final Mutex lock = new Mutex();
  private int failures;
  private Optional<Backoff> backoff = Optional.empty();

  private record Backoff(Instant until, String why) {}

  /// @param configured model, address, window and timeout; its limit of output is replaced
  /// @param tokens counts the tokens of a text
  /// @param mask replaces secrets in what is sent
  public StatementModel(
      SystemServices system,
      ModelConfig configured,
      ToIntFunction<String> tokens,
      UnaryOperator<String> mask) {
    this.clock = system.clock();
    this.mask = mask;
    var config =
        new ModelConfig(
            configured.endpoint(),
            Math.min(MAX_OUTPUT_TOKENS, configured.maxOutputTokens()),
            configured.seed(),
            configured.contextTokens());
    this.window = new Window(config, tokens);
    this.client =
        new ChatClient(
            clock,
            window,
            SCHEMA,
            said -> Graphemes.shorten(mask.apply(said), EXCERPT),
            system.sleeper(),
            system.random());
  }

  /// What came of a question.
  ///
  /// @param answer empty when there is none that can be used
  /// @param calls the requests that went out
  /// @param interrupted whether the thread was interrupted
  record Reply(Optional<StatementAnswer> answer, List<Attempted> calls, boolean interrupted) {}

  /// The name that the ledger has, such as `openai/gpt-4o-mini`.
  String name() {
    return window.config().endpoint().name();
  }

  StatementPrompt prompt(List<Turn> turns) {
    return new StatementPrompt(window, mask, turns);
  }

  /// The most tokens that one request may take.
  long cost(StatementPrompt prompt) {
    return window.cost(prompt.prompt());
  }

  /// Asks, and tries again what can succeed.
  ///
  /// @param affordable whether the question may take so many tokens
  Reply ask(StatementPrompt prompt, LongPredicate affordable) {
    List<Attempted> calls = new ArrayList<>();
    try {
      ChatReply reply = client.ask(prompt.prompt(), calls, affordable);
      answered();
      Optional<StatementAnswer> answer = StatementAnswer.read(reply.text(), prompt);
      calls.add(answer.isPresent() ? reply.call() : reply.call().as(Outcome.MALFORMED));
      return new Reply(answer, calls, /* interrupted= */ false);
    } catch (ModelException e) {
      boolean interrupted =
          switch (e.kind()) {
            case INTERRUPTED -> true;
            case UNANSWERABLE, UNAFFORDABLE -> false;
            case UNAVAILABLE, REFUSED -> {
              failed(e);
              yield false;
            }
          };
      return new Reply(Optional.empty(), e.calls(), interrupted);
    }
  }

  private void answered() {
    try (var _ = lock.hold()) {
      failures = 0;
      backoff = Optional.empty();
    }
  }

  private void failed(ModelException e) {
    try (var _ = lock.hold()) {
      // A refused key or model needs a person, so the first backoff is the longest.
      int doublings = e.kind() == ModelException.Kind.REFUSED ? MOST_DOUBLINGS : failures++;
      Duration own = FIRST_BACKOFF.multipliedBy(1L << Math.min(doublings, MOST_DOUBLINGS));
      Duration longest = e.retryAfter().filter(asked -> asked.compareTo(own) > 0).orElse(own);
      backoff =
          Optional.of(new Backoff(clock.instant().plus(longest), String.valueOf(e.getMessage())));
    }
  }

  /// Whether it is not to be asked now.
  boolean isBackingOff() {
    return current().isPresent();
  }

  /// Why it is not asked now, for an operator; empty when it is.
  public Optional<String> problem() {
    return current()
        .map(now ->
            "memories are extracted by rules only until %s: %s".formatted(now.until(), now.why()));
  }

  private Optional<Backoff> current() {
    try (var _ = lock.hold()) {
      return backoff.filter(now -> clock.instant().isBefore(now.until()));
    }
  }

  /// Lets the connection go.
  @Override
  public void close() {
    client.close();
  }
}
