package dev.agentmemory.model;

import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// The connection to a model. Tries again what can succeed: an overloaded or broken server, a
/// timeout, a lost connection. Waits as long as the provider asks, or a random part of a span that
/// doubles, so that many daemons do not come back at the same moment. What a server refuses to
/// know, such as answers by a schema, is left out from then on.
public final class ChatClient implements AutoCloseable {

  static final int MOST_ATTEMPTS = 3;

  /// Longest wait inside a call; a longer `Retry-After` fails the call.
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final Duration FIRST_SPAN = Duration.ofSeconds(2);

  /// Largest answer in bytes. One of 1000 tokens has some 10 KiB; the rest is headroom for long
  /// answers and for what providers put around them.
  private static final long MAX_ANSWER = 1 << 20;

  private final InstantSource clock;
  private final Window window;
  private final ChatFormat format;
  private final Sleeper sleeper;
  private final RandomGenerator chance;
  private final ModelErrors errors;
  private final BoundedHttpClient http;
  private volatile Set<Option> options = Set.copyOf(EnumSet.allOf(Option.class));

  /// Opens no connection.
  ///
  /// @param clock says when requests went out and how long they took
  /// @param schema of answers, as JSON Schema
  /// @param excerpt makes of a provider's words what a message may quote: short, without secrets
  /// @param sleeper waits before a request is tried again
  /// @param chance spreads these waits
  public ChatClient(
      InstantSource clock,
      Window window,
      String schema,
      UnaryOperator<String> excerpt,
      Sleeper sleeper,
      RandomGenerator chance) {
    ModelEndpoint endpoint = window.config().endpoint();
    this.clock = clock;
    this.window = window;
    this.format = new ChatFormat(window.config(), schema);
    this.sleeper = sleeper;
    this.chance = chance;
    this.errors = new ModelErrors(endpoint, excerpt);
    this.http = new BoundedHttpClient(endpoint, MAX_ANSWER);
  }

  /// Asks.
  ///
  /// @param calls what the question has cost so far; gets every request that goes out, but not the
  ///   one that is answered
  /// @param affordable whether a question may take so many tokens; asked before each of its
  ///   requests but the first
  /// @throws ModelException when there is no answer to be had now
  public ChatReply ask(Prompt prompt, List<Attempted> calls, LongPredicate affordable) {
    Set<Option> wanted = options;
    int attempts = 0;
    while (true) {
      demandAffordable(prompt, calls, affordable);
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted(calls);
      }
      Instant sent = clock.instant();
      ModelResponse response = http.post(format.path(), format.request(prompt, wanted));
      Optional<ChatReply> reply = reply(prompt, sent, response);
      if (reply.isPresent()) {
        options = wanted;
        return reply.get();
      }
      Failure failure =
          response instanceof Failure known ? known : new Failure.Garbled(response.retryAfter());
      calls.add(call(prompt, sent, failure));
      Optional<Option> unwanted = unwanted(failure, wanted);
      if (unwanted.isPresent()) {
        wanted = without(wanted, unwanted.get());
      } else {
        attempts++;
        Optional<Duration> asked =
            failure.retryAfter().flatMap(header -> RetryAfter.read(header, clock.instant()));
        giveUp(failure, attempts, asked, calls);
        demandAffordable(prompt, calls, affordable);
        await(attempts, asked, calls);
      }
    }
  }

  /// @return empty when there is nothing in it that a model said
  private Optional<ChatReply> reply(Prompt prompt, Instant sent, ModelResponse response) {
    if (!(response instanceof ResponseBody body)) {
      return Optional.empty();
    }
    return format
        .completion(body.json())
        .map(said -> {
          long input = said.inputTokens() > 0 ? said.inputTokens() : tokens(prompt);
          long output = said.outputTokens() > 0 ? said.outputTokens() : window.count(said.text());
          var call = new Attempted(sent, input, output, since(sent), Outcome.SUCCESS);
          return new ChatReply(said.text(), said.cut(), call);
        });
  }

  private Attempted call(Prompt prompt, Instant sent, Failure failure) {
    long input = failure.isBillable() ? tokens(prompt) : 0;
    return new Attempted(sent, input, 0, since(sent), failure.outcome());
  }

  private Duration since(Instant sent) {
    Duration duration = Duration.between(sent, clock.instant());
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  private long tokens(Prompt prompt) {
    return (long) window.count(prompt.system()) + window.count(prompt.user());
  }

  /// What to leave out after a refusal: what it names, else the schema, which is the least known.
  private static Optional<Option> unwanted(Failure failure, Set<Option> wanted) {
    if (!(failure instanceof Failure.Refused refused)
        || (refused.status() != 400 && refused.status() != 422)
        || refused.isAboutText()) {
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

  /// Asking once more may cost what the first request was allowed to.
  private void demandAffordable(Prompt prompt, List<Attempted> calls, LongPredicate affordable) {
    if (calls.isEmpty()) {
      return;
    }
    long taken = calls.stream().mapToLong(call -> call.inputTokens() + call.outputTokens()).sum();
    long all = taken + window.cost(prompt);
    if (!affordable.test(all)) {
      throw new ModelException(
          ModelException.Kind.UNAFFORDABLE, errors.unaffordable(all), Optional.empty(), calls);
    }
  }

  /// Throws what ends the question, unless the same request may succeed a little later.
  private void giveUp(
      Failure failure, int attempts, Optional<Duration> retryAfter, List<Attempted> calls) {
    if (failure instanceof Failure.Interrupted) {
      throw interrupted(calls);
    }
    if (failure instanceof Failure.Refused refused && refused.isAboutThisRequest()) {
      throw new ModelException(
          ModelException.Kind.UNANSWERABLE, errors.unanswerable(refused), Optional.empty(), calls);
    }
    if (failure instanceof Failure.Refused refused && failure.outcome() == Outcome.REFUSED) {
      throw new ModelException(
          ModelException.Kind.REFUSED, errors.refused(refused), Optional.empty(), calls);
    }
    boolean tooLong = retryAfter.filter(wait -> wait.compareTo(LONGEST_WAIT) > 0).isPresent();
    if (!failure.isPassing() || attempts == MOST_ATTEMPTS || tooLong) {
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          errors.unavailable(failure, attempts),
          retryAfter,
          calls);
    }
  }

  /// Waits until the next attempt.
  private void await(int attempts, Optional<Duration> retryAfter, List<Attempted> calls) {
    try {
      sleeper.sleep(
          retryAfter.orElseGet(() -> part(FIRST_SPAN.multipliedBy(1L << (attempts - 1)))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(calls);
    }
  }

  private ModelException interrupted(List<Attempted> calls) {
    return new ModelException(
        ModelException.Kind.INTERRUPTED, errors.interrupted(), Optional.empty(), calls);
  }

  private Duration part(Duration span) {
    return Duration.ofMillis(chance.nextLong(span.toMillis() + 1));
  }

  /// Ends the requests that run.
  @Override
  public void close() {
    http.close();
  }
}
