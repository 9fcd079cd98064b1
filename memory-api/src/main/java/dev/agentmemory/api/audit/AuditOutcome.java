package dev.agentmemory.api.audit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How far an act came.
public enum AuditOutcome {
  /// It began. In a list: it is in progress, or the process ended before the act did.
  STARTED,
  OK,
  /// It failed; some of it may be done.
  FAILED;

  /// As files, messages and commands write it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The outcome that a text names; empty for one that this version does not know.
  public static Optional<AuditOutcome> of(String text) {
    return Arrays.stream(values()).filter(outcome -> outcome.toString().equals(text)).findFirst();
  }
}
