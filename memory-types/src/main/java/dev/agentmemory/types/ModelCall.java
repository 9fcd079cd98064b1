package dev.agentmemory.types;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// One request to a model: who asked for what, and what it cost. One line of the ledger.
///
/// @param id a ULID of the time at which the request went out
/// @param time when the request went out, in whole milliseconds, 1970 to 2286
/// @param job who asked, such as `llm_summaries`
/// @param node the node whose words were asked for; empty when it was for none
/// @param model the model as `provider/model`, such as `openai/gpt-4o-mini`
/// @param inputTokens tokens of what was sent, 0 and up
/// @param outputTokens tokens of the answer, 0 and up
/// @param duration from the request to the answer or its failure, in whole milliseconds
public record ModelCall(
    String id,
    Instant time,
    String job,
    Optional<NodeId> node,
    String model,
    long inputTokens,
    long outputTokens,
    Duration duration,
    Outcome outcome) {

  /// What came of it.
  public enum Outcome {
    /// An answer that could be used.
    SUCCESS,
    /// An answer that did not have the form that was asked for.
    MALFORMED,
    /// A well-formed answer of which no statement was supported by its evidence.
    UNSUPPORTED,
    /// No answer, for any other reason than those below.
    FAILED,
    /// No answer in time.
    TIMEOUT,
    /// The provider does not serve this request, key or account, and will not when asked again.
    REFUSED
  }

  /// @throws IllegalArgumentException when the id is no ULID, the job or the model is empty, a
  ///   number is negative, or the time is out of its range
  public ModelCall {
    time = Instant.ofEpochMilli(time.toEpochMilli());
    duration = Duration.ofMillis(duration.toMillis());
    demand(id.length() == EventId.LENGTH && EventId.isCanonical(id), "id is no ULID: " + id);
    demand(!job.isEmpty(), "job is empty");
    demand(!model.isEmpty(), "model is empty");
    demand(inputTokens >= 0, "inputTokens below 0: " + inputTokens);
    demand(outputTokens >= 0, "outputTokens below 0: " + outputTokens);
    demand(!duration.isNegative(), "duration below 0: " + duration);
    long millis = time.toEpochMilli();
    demand(millis >= 0 && millis <= EventKey.LAST_MILLIS, "time out of range: " + time);
  }

  private static void demand(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
