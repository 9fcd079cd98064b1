package dev.agentmemory.store;

import java.util.Objects;

/// Something that `verify` found to be wrong.
///
/// @param table where, such as `events`
/// @param key which record, in readable form
/// @param problem what is wrong with it
public record Finding(String table, String key, String problem) {

  public Finding {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(problem, "problem");
  }
}
