package dev.agentmemory.toc;

import dev.agentmemory.store.UsageReader;
import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How many tokens models may still take today. The ledger knows what they took, so a restart does
/// not refill it; it is read once a day and followed from then on.
public final class TokenBudget {

  private final InstantSource clock;
  private final ZoneId zone;
  private final UsageReader ledger;
  private final long perDay;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable LocalDate day;
  private long used;

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
    lock.lock();
    try {
      LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
      if (!today.equals(day)) {
        var sum = new LongAdder();
        ledger.modelCalls(
            today.atStartOfDay(zone).toInstant(), nextDay(), call -> sum.add(tokens(call)));
        used = sum.sum();
        day = today;
      }
      return used;
    } finally {
      lock.unlock();
    }
  }

  /// Whether a call may be made.
  ///
  /// @param tokens what it will take at most
  boolean has(long tokens) {
    return perDay == 0 || used() + tokens <= perDay;
  }

  /// Whether a call may be made on any day.
  boolean everHas(long tokens) {
    return perDay == 0 || tokens <= perDay;
  }

  /// Counts a call that is in the ledger now.
  void add(ModelCall call) {
    lock.lock();
    try {
      if (LocalDate.ofInstant(call.time(), zone).equals(day)) {
        used += tokens(call);
      }
    } finally {
      lock.unlock();
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
