package dev.agentmemory.toc.segment;

import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.UsageReader;
import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How many tokens models may still take today, and how many of their answers of today were of use.
/// The ledger knows what they took, so a restart does not refill it; it is read once a day and
/// followed from then on.
public final class TokenBudget {

  /// Answers from which on it can be told that a model is no good.
  private static final int FEWEST = 3;

  private final InstantSource clock;
  private final ZoneId zone;
  private final UsageReader ledger;
  private final long perDay;
  private final Mutex lock = new Mutex();
  private @Nullable LocalDate day;
  private Today sums = Today.NONE;
  private ModelUsage.Sums counted = ModelUsage.Sums.NONE;

  /// What was asked today.
  ///
  /// @param tokens of requests and answers together
  /// @param answers that came, of use or not
  /// @param unusable answers of another form than was asked for, or without any statement that is
  ///   supported
  private record Today(long tokens, long answers, long unusable) {

    static final Today NONE = new Today(0, 0, 0);

    Today and(ModelCall call) {
      boolean useless =
          switch (call.outcome()) {
            case MALFORMED, UNSUPPORTED -> true;
            case SUCCESS, FAILED, TIMEOUT, REFUSED -> false;
          };
      boolean answered = useless || call.outcome() == ModelCall.Outcome.SUCCESS;
      return new Today(
          tokens + TokenBudget.tokens(call),
          answers + (answered ? 1 : 0),
          unusable + (useless ? 1 : 0));
    }
  }

  /// @param zone in which days begin
  /// @param perDay tokens of requests and answers together; 0 for no limit
  public TokenBudget(InstantSource clock, ZoneId zone, UsageReader ledger, long perDay) {
    this.clock = clock;
    this.zone = zone;
    this.ledger = ledger;
    this.perDay = perDay;
  }

  /// Tokens of a day; 0 for no limit.
  public long perDay() {
    return perDay;
  }

  /// Tokens that were taken today.
  public long used() {
    return today().tokens();
  }

  /// That a good part of today's answers could not be used, and what to do; empty when they could,
  /// or when there are too few to tell.
  public Optional<String> problem() {
    Today today = today();
    boolean told = today.answers() >= FEWEST && today.unusable() * 2 >= today.answers();
    return told
        ? Optional.of(
            ("%d of %d responses of the model were unusable today (%d tokens), so summaries were not"
                    + " replaced; choose another model (summarizer.model) and run `memory rebuild toc`,"
                    + " or use none (summarizer.provider = extractive)")
                .formatted(today.unusable(), today.answers(), today.tokens()))
        : Optional.empty();
  }

  private Today today() {
    try (var _ = lock.hold()) {
      LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
      if (!today.equals(day)) {
        sums = Today.NONE;
        ledger.modelCalls(
            today.atStartOfDay(zone).toInstant(), nextDay(), call -> sums = sums.and(call));
        day = today;
      }
      return sums;
    }
  }

  /// Whether a call may be made.
  ///
  /// @param tokens what it will take at most
  public boolean has(long tokens) {
    return perDay == 0 || used() + tokens <= perDay;
  }

  /// Whether a call may be made on any day.
  public boolean everHas(long tokens) {
    return perDay == 0 || tokens <= perDay;
  }

  /// Counts a call that is in the ledger now.
  public void add(ModelCall call) {
    try (var _ = lock.hold()) {
      counted = counted.plus(call);
      if (LocalDate.ofInstant(call.time(), zone).equals(day)) {
        sums = sums.and(call);
      }
    }
  }

  /// The calls that were counted since this object was made.
  public ModelUsage.Sums counted() {
    try (var _ = lock.hold()) {
      return counted;
    }
  }

  /// When the next day begins.
  public Instant nextDay() {
    return LocalDate.ofInstant(clock.instant(), zone).plusDays(1).atStartOfDay(zone).toInstant();
  }

  private static long tokens(ModelCall call) {
    return call.inputTokens() + call.outputTokens();
  }
}
