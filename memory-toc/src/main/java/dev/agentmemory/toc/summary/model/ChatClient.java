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
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The connection to a model. Tries again what can succeed: an overloaded or broken server, a
/// timeout, a lost connection. Waits as long as the provider asks, or a random part of a span that
/// doubles, so that many daemons do not come back at the same moment. What a server refuses to
/// know, such as answers by a schema, is left out from then on.
final class ChatClient implements AutoCloseable {

  static final int MOST_ATTEMPTS = 3;

  /// Longest wait inside a call; whoever is asked to wait longer is told so.
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final Duration FIRST_SPAN = Duration.ofSeconds(2);

  private final InstantSource clock;
  private final ModelConfig config;
  private final Window window;
  private final Pause pause;
  private final RandomGenerator chance;
  private final ModelErrors complaint;
  private volatile Set<Option> options = Set.copyOf(EnumSet.allOf(Option.class));
  private @Nullable Open open;

  /// @param options what the client asks for
  private record Open(BoundedHttpClient wire, Set<Option> options, ChatModel client) {}

  ChatClient(
      InstantSource clock,
      ModelConfig config,
      Window window,
      UnaryOperator<String> mask,
      Pause pause,
      RandomGenerator chance) {
    this.clock = clock;
    this.config = config;
    this.window = window;
    this.pause = pause;
    this.chance = chance;
    this.complaint = new ModelErrors(config, mask);
  }

  /// Asks.
  ///
  /// @param calls what the question has cost so far; gets every request that goes out, but not the
  ///   one that is answered
  /// @param affordable whether a question may take so many tokens; asked before each of its
  ///   requests but the first
  /// @throws ModelException when there is no answer to be had now
  ChatReply ask(Prompt prompt, List<Attempted> calls, LongPredicate affordable) {
    Set<Option> wanted = options;
    int attempts = 0;
    while (true) {
      demandAffordable(prompt, calls, affordable);
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted(calls);
      }
      Open line = open(wanted);
      Instant sent = clock.instant();
      try {
        ChatReply reply = reply(prompt, sent, line.client());
        options = wanted;
        return reply;
      } catch (RuntimeException thrown) {
        Failure failure = Failure.of(thrown);
        Attempted call = call(prompt, sent, failure);
        calls.add(call);
        Optional<Option> unwanted = unwanted(failure, wanted);
        if (unwanted.isPresent()) {
          wanted = without(wanted, unwanted.get());
        } else {
          attempts++;
          Optional<Duration> asked = retryAfter(line.wire());
          giveUp(failure, attempts, asked, calls);
          demandAffordable(prompt, calls, affordable);
          await(attempts, asked, calls);
        }
      }
    }
  }

  private ChatReply reply(Prompt prompt, Instant sent, ChatModel model) {
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
            output > 0 ? output : window.count(text),
            since(sent),
            Outcome.SUCCESS);
    return new ChatReply(text, cut, call);
  }

  private static long said(@Nullable Integer count) {
    return count == null ? 0 : Math.max(0, count);
  }

  /// A request that was not answered in time, or whose answer nobody waited for, may well be
  /// billed, so it counts.
  private Attempted call(Prompt prompt, Instant sent, Failure failure) {
    boolean read =
        switch (failure) {
          case Failure.Silent _, Failure.Garbled _, Failure.Interrupted _ -> true;
          case Failure.Refused _, Failure.Unreachable _ -> false;
        };
    return new Attempted(sent, read ? tokens(prompt) : 0, 0, since(sent), failure.outcome());
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
          ModelException.Kind.UNAFFORDABLE, complaint.unaffordable(all), Optional.empty(), calls);
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
          ModelException.Kind.UNANSWERABLE,
          complaint.unanswerable(refused),
          Optional.empty(),
          calls);
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
  }

  /// Waits until the next attempt.
  private void await(int attempts, Optional<Duration> retryAfter, List<Attempted> calls) {
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

  private Optional<Duration> retryAfter(BoundedHttpClient line) {
    return line.retryAfter().flatMap(header -> RetryAfter.read(header, clock.instant()));
  }

  /// Opened with the first request: a daemon without questions needs no connection. A client is
  /// kept, since making one looks through the whole class path.
  private synchronized Open open(Set<Option> wanted) {
    Open line = open;
    if (line == null || !line.options().equals(wanted)) {
      BoundedHttpClient wire = line == null ? new BoundedHttpClient(config.timeout()) : line.wire();
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
