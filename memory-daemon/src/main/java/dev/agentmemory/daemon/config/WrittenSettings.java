package dev.agentmemory.daemon.config;

import java.util.Map;
import java.util.TreeSet;

/// The settings that are not defaults, as they were written.
///
/// @param values by key; they may contain secrets
public record WrittenSettings(Map<String, String> values) {

  public WrittenSettings {
    values = Map.copyOf(values);
  }

  /// Without the values.
  @Override
  public String toString() {
    return "WrittenSettings" + new TreeSet<>(values.keySet());
  }
}
