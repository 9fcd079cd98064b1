package dev.agentmemory.api;

import java.util.Objects;
import java.util.Optional;

/// Who writes the words of the table of contents, and how far that has come.
///
/// @param name `extractive`, or the model that writes better words later: `openai/gpt-4o-mini`
/// @param spending empty where no model is asked, or where it is not for the caller to know
/// @param nodesWait whether any node still waits for the model's words
/// @param waitsFor why the model is not asked now: the last error, or until when; empty when
///   nothing is in the way
public record SummarizerReport(
    String name, Optional<Spending> spending, boolean nodesWait, Optional<String> waitsFor) {

  /// No model is asked.
  public static final SummarizerReport EXTRACTIVE = named("extractive");

  public SummarizerReport {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(spending, "spending");
    Objects.requireNonNull(waitsFor, "waitsFor");
  }

  /// Tokens of today, input and output together.
  ///
  /// @param dailyBudget how many there may be on a day; 0 is no limit
  public record Spending(long tokensToday, long dailyBudget) {}

  /// The name and nothing else.
  public static SummarizerReport named(String name) {
    return new SummarizerReport(name, Optional.empty(), false, Optional.empty());
  }
}
