package dev.agentmemory.daemon;

/// The part of the Java heap that only a full collection cleans up.
interface OldGeneration {

  /// Bytes in use, including objects that are no longer needed.
  long used();

  /// Collects it. All threads stand still meanwhile.
  void collect();
}
