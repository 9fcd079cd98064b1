package dev.agentmemory.cli;

import dev.agentmemory.types.MemoryException;

/// The value of `--limit` in commands that list any number of items.
final class Limit {

  private Limit() {}

  /// @throws MemoryException `INVALID_FIELD` when it is below 1
  static void check(int limit) {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
  }
}
