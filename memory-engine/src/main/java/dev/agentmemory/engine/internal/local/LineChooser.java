package dev.agentmemory.engine.internal.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.ChatClient;
import dev.agentmemory.model.ChatReply;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.ModelException;
import dev.agentmemory.model.Prompt;
import dev.agentmemory.model.Window;
import dev.agentmemory.recall.orient.OrientationRefiner;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a model which lines matter. One for all workspaces; any thread may use it. Opens no
/// connection before it is asked.
///
/// It asks once: what fails is not tried again, since a later answer would come too late. There is
/// one exception: a server that refuses at once to know a part of the request, such as a schema, is
/// asked without it. So a request gets three quarters of the time, and a second one goes out in the
/// first quarter only.
public final class LineChooser implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LineChooser.class);

  private static final String SYSTEM =
      TextResource.beside(LineChooser.class, "orientation-prompt.txt").strip();

  private static final String SCHEMA =
      TextResource.beside(LineChooser.class, "orientation.schema");

  private static final ObjectMapper JSON = new ObjectMapper();

  /// An answer has a number for each line.
  private static final int MAX_OUTPUT_TOKENS = 500;

  /// Characters of a query that are sent.
  private static final int QUERY_CHARS = 1000;

  /// How much of a provider's words an error quotes.
  private static final int EXCERPT = 160;

  private final Ticker ticker;
  private final Duration deadline;
  private final UnaryOperator<String> mask;
  private final Window window;
  private final ChatClient client;

  /// @param configured model, address and window; its limits of time and output are replaced
  /// @param deadline for an answer
  /// @param tokens counts the tokens of a text
  /// @param mask replaces secrets in what is sent
  public LineChooser(
      SystemServices system,
      ModelConfig configured,
      Duration deadline,
      ToIntFunction<String> tokens,
      UnaryOperator<String> mask) {
    this.ticker = system.ticker();
    this.deadline = deadline;
    this.mask = mask;
    this.window = new Window(limited(configured, deadline.multipliedBy(3).dividedBy(4)), tokens);
    this.client =
        new ChatClient(
            system.clock(),
            window,
            SCHEMA,
            said -> Graphemes.shorten(mask.apply(said), EXCERPT),
            LineChooser::refuseToWait,
            system.random());
  }

  private static ModelConfig limited(ModelConfig configured, Duration timeout) {
    ModelEndpoint endpoint = configured.endpoint();
    return new ModelConfig(
        new ModelEndpoint(
            endpoint.provider(), endpoint.model(), endpoint.baseUrl(), endpoint.key(), timeout),
        Math.min(MAX_OUTPUT_TOKENS, configured.maxOutputTokens()),
        configured.seed(),
        configured.contextTokens());
  }

  private static void refuseToWait(Duration time) {
    throw new MemoryException(
        ErrorCode.MODEL_UNAVAILABLE,
        "the model is to be asked again in " + time + ", which is too late");
  }

  /// What came of a question.
  ///
  /// @param lines indexes of lines; empty when there is no answer that can be used
  /// @param calls the requests that went out
  record Choice(Optional<List<Integer>> lines, List<Attempted> calls) {}

  /// The name that the ledger has, such as `openai/gpt-4o-mini`.
  String name() {
    return window.config().endpoint().name();
  }

  /// What a model is told of a draft: as many of its lines as its window has room for.
  Prompt prompt(OrientationRefiner.Draft draft) {
    String query = Graphemes.shorten(draft.query().strip(), QUERY_CHARS);
    var user = new StringBuilder("Task: ").append(query.isEmpty() ? "not known" : query);
    user.append("\n\nNotes:\n");
    int left = window.room(SYSTEM) - window.count(user.toString());
    for (int i = 0; i < draft.lines().size() && left > 0; i++) {
      String line = (i + 1) + ". " + draft.lines().get(i) + '\n';
      left -= window.count(line);
      if (left >= 0) {
        user.append(line);
      }
    }
    return new Prompt(SYSTEM, mask.apply(user.toString()));
  }

  /// The most tokens that one request may take.
  long cost(Prompt prompt) {
    return window.cost(prompt);
  }

  /// Asks, and waits until the deadline at most.
  ///
  /// @param affordable whether the question may take so many tokens
  Choice choose(Prompt prompt, LongPredicate affordable) {
    long began = ticker.nanos();
    List<Attempted> calls = new ArrayList<>();
    try {
      ChatReply reply =
          client.ask(prompt, calls, tokens -> isEarly(began) && affordable.test(tokens));
      Optional<List<Integer>> lines = read(reply.text());
      calls.add(lines.isPresent() ? reply.call() : reply.call().as(Outcome.MALFORMED));
      return new Choice(lines, calls);
    } catch (ModelException | MemoryException e) {
      LOG.debug("orientation is not refined: {}", e.getMessage());
      return new Choice(Optional.empty(), calls);
    }
  }

  private boolean isEarly(long began) {
    return ticker.nanos() - began <= deadline.toNanos() / 4;
  }

  /// The numbers in an answer, from 0. What else it says is ignored.
  static Optional<List<Integer>> read(String answer) {
    int from = answer.indexOf('{');
    int to = answer.lastIndexOf('}');
    if (from < 0 || to < from) {
      return Optional.empty();
    }
    try {
      JsonNode lines = JSON.readTree(answer.substring(from, to + 1)).path("lines");
      List<Integer> indexes = new ArrayList<>();
      for (JsonNode line : lines) {
        if (line.canConvertToExactIntegral() && line.canConvertToInt() && line.intValue() > 0) {
          indexes.add(line.intValue() - 1);
        }
      }
      return lines.isArray() ? Optional.of(indexes) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /// Lets the connection go.
  @Override
  public void close() {
    client.close();
  }
}
