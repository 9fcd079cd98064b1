package dev.agentmemory.api.metrics;

/// What is counted, and of what.
///
/// @param of the job or the cache; empty where there is no difference
public record OccurrenceKey(Occurrence what, String of) {

  public static OccurrenceKey of(Occurrence what) {
    return new OccurrenceKey(what, "");
  }
}
