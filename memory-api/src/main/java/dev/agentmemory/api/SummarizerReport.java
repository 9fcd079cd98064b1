package dev.agentmemory.api;

import java.util.Optional;

/// The summariser of the table of contents, and its progress.
///
/// @param name `extractive`, or the model that replaces summaries later: `openai/gpt-4o-mini`
/// @param spending empty if no model is used, or the caller may not see it
/// @param nodesWait whether any node still waits for the model's summary
/// @param waitsFor why no request is made now: the last error, or the time of the next one; empty
///   if nothing prevents it
public record SummarizerReport(
    String name, Optional<Spending> spending, boolean nodesWait, Optional<String> waitsFor) {

  /// No model is asked.
  public static final SummarizerReport EXTRACTIVE = named("extractive");

  /// Tokens of today, input and output together.
  ///
  /// @param dailyBudget how many there may be on a day; 0 is no limit
  public record Spending(long tokensToday, long dailyBudget) {}

  /// The name and nothing else.
  public static SummarizerReport named(String name) {
    return new SummarizerReport(name, Optional.empty(), false, Optional.empty());
  }
}
