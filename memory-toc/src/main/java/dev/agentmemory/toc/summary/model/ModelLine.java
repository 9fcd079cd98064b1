package dev.agentmemory.toc.summary.model;

import dev.agentmemory.types.ModelCall.Outcome;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The connection to a model. Tries again what can succeed: an overloaded or broken server, a
/// timeout, a lost connection. Waits as long as the provider asks, or a random part of a span that
/// doubles, so that many daemons do not come back at the same moment. What a server refuses to
/// know, such as answers by a schema, is left out from then on.
final class ModelLine implements AutoCloseable {

  static final int MOST_ATTEMPTS = 3;

  /// Longest wait inside a call; whoever is asked to wait longer is told so.
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final Duration FIRST_SPAN = Duration.ofSeconds(2);

  private final InstantSource clock;
  private final ModelConfig config;
  private final ToIntFunction<String> tokens;
  private final Pause pause;
  private final RandomGenerator chance;
  private final Complaint complaint;
  private volatile Set<Option> options = Set.copyOf(EnumSet.allOf(Option.class));
  private @Nullable Open open;

  /// @param options what the client asks for
  private record Open(Wire wire, Set<Option> options, ChatModel client) {}

  ModelLine(
      InstantSource clock,
      ModelConfig config,
      ToIntFunction<String> tokens,
      UnaryOperator<String> mask,
      Pause pause,
      RandomGenerator chance) {
    this.clock = clock;
    this.config = config;
    this.tokens = tokens;
    this.pause = pause;
    this.chance = chance;
    this.complaint = new Complaint(config, mask);
  }

  /// Asks.
  ///
  /// @param calls gets every request that goes out, but not the one that is answered
  /// @throws ModelException when there is no answer to be had now
  Heard ask(Prompt prompt, List<Attempted> calls) {
    Set<Option> wanted = options;
    int attempts = 0;
    while (true) {
      Open line = open(wanted);
      Instant sent = clock.instant();
      try {
        Heard heard = heard(prompt, sent, line.client());
        options = wanted;
        return heard;
      } catch (RuntimeException thrown) {
        Failure failure = Failure.of(thrown);
        Attempted call = call(prompt, sent, failure);
        if (failure instanceof Failure.Garbled) {
          return new Heard("", false, call);
        }
        calls.add(call);
        Optional<Option> unwanted = unwanted(failure, wanted);
        if (unwanted.isPresent()) {
          wanted = without(wanted, unwanted.get());
        } else {
          attempts++;
          await(failure, attempts, retryAfter(line.wire()), calls);
        }
      }
    }
  }

  private Heard heard(Prompt prompt, Instant sent, ChatModel model) {
    ChatResponse response =
        model.chat(SystemMessage.from(prompt.system()), UserMessage.from(prompt.user()));
    String text = String.valueOf(response.aiMessage().text());
    boolean cut = response.finishReason() == FinishReason.LENGTH;
    @Nullable TokenUsage usage = response.tokenUsage();
    long input = said(usage == null ? null : usage.inputTokenCount());
    long output = said(usage == null ? null : usage.outputTokenCount());
    var call =
        new Attempted(
            sent,
            input > 0 ? input : tokens(prompt),
            output > 0 ? output : tokens.applyAsInt(text),
            since(sent),
            Outcome.SUCCESS);
    return new Heard(text, cut, call);
  }

  private static long said(@Nullable Integer count) {
    return count == null ? 0 : Math.max(0, count);
  }

  /// A request that was not answered in time may well be billed, so it counts.
  private Attempted call(Prompt prompt, Instant sent, Failure failure) {
    boolean read = failure instanceof Failure.Silent || failure instanceof Failure.Garbled;
    return new Attempted(sent, read ? tokens(prompt) : 0, 0, since(sent), failure.outcome());
  }

  private Duration since(Instant sent) {
    Duration duration = Duration.between(sent, clock.instant());
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  private long tokens(Prompt prompt) {
    return (long) tokens.applyAsInt(prompt.system()) + tokens.applyAsInt(prompt.user());
  }

  /// What to leave out after a refusal: what it names, else the schema, which is the least known.
  private static Optional<Option> unwanted(Failure failure, Set<Option> wanted) {
    if (!(failure instanceof Failure.Refused refused)
        || (refused.status() != 400 && refused.status() != 422)) {
      return Optional.empty();
    }
    return wanted.stream()
        .filter(option -> option.isNamedIn(refused.body()))
        .findFirst()
        .or(() -> Optional.of(Option.SCHEMA).filter(wanted::contains));
  }

  private static Set<Option> without(Set<Option> options, Option left) {
    Set<Option> rest = EnumSet.noneOf(Option.class);
    rest.addAll(options);
    rest.remove(left);
    return Set.copyOf(rest);
  }

  /// Waits until the next attempt.
  private void await(
      Failure failure, int attempts, Optional<Duration> retryAfter, List<Attempted> calls) {
    if (failure instanceof Failure.Interrupted) {
      throw interrupted(calls);
    }
    if (failure instanceof Failure.Refused refused && failure.outcome() == Outcome.REFUSED) {
      throw new ModelException(
          ModelException.Kind.REFUSED, complaint.refused(refused), Optional.empty(), calls);
    }
    boolean tooLong = retryAfter.filter(wait -> wait.compareTo(LONGEST_WAIT) > 0).isPresent();
    if (!failure.isPassing() || attempts == MOST_ATTEMPTS || tooLong) {
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          complaint.unavailable(failure, attempts),
          retryAfter,
          calls);
    }
    try {
      pause.pause(retryAfter.orElseGet(() -> part(FIRST_SPAN.multipliedBy(1L << (attempts - 1)))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(calls);
    }
  }

  private ModelException interrupted(List<Attempted> calls) {
    return new ModelException(
        ModelException.Kind.INTERRUPTED, complaint.interrupted(), Optional.empty(), calls);
  }

  private Duration part(Duration span) {
    return Duration.ofMillis(chance.nextLong(span.toMillis() + 1));
  }

  private Optional<Duration> retryAfter(Wire line) {
    return line.retryAfter().flatMap(header -> RetryAfter.read(header, clock.instant()));
  }

  /// Opened with the first request: a daemon without questions needs no connection. A client is
  /// kept, since making one looks through the whole class path.
  private synchronized Open open(Set<Option> wanted) {
    Open line = open;
    if (line == null || !line.options().equals(wanted)) {
      Wire wire = line == null ? new Wire(config.timeout()) : line.wire();
      line = new Open(wire, wanted, Clients.make(config, wire, wanted));
      open = line;
    }
    return line;
  }

  @Override
  public synchronized void close() {
    if (open != null) {
      open.wire().close();
      open = null;
    }
  }
}
