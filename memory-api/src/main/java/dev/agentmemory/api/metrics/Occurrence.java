package dev.agentmemory.api.metrics;

/// What is counted when it occurs.
public enum Occurrence {
  /// Of a job.
  JOB_SUCCEEDED,
  /// Of a job.
  JOB_FAILED,
  /// Of a job.
  JOB_SKIPPED,
  /// A request to a model with a usable answer.
  MODEL_CALL_SUCCEEDED,
  /// A request to a model without one.
  MODEL_CALL_FAILED,
  /// A token of a request to a model.
  INPUT_TOKEN,
  /// A token of an answer of a model.
  OUTPUT_TOKEN,
  /// Of a cache.
  CACHE_HIT,
  /// Of a cache.
  CACHE_MISS,
  /// The memories of a session were compacted.
  SESSION_COMPACTED,
  /// The storage engine merged files.
  FILES_MERGED,
  /// A place of a store was found that cannot be read.
  DAMAGE_FOUND
}
