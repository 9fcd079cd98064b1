package dev.agentmemory.gateway.internal.metrics;

import dev.agentmemory.spi.Mutex;
import java.util.HashSet;
import java.util.Set;

/// The label of each workspace. The first [#MOST] that are seen have their names and keep them; all
/// others have one label together, so that the number of time series is bounded.
final class WorkspaceLabels {

  static final int MOST = 20;

  /// No workspace can be called that.
  static final String OTHERS = "@other";

  private final Mutex lock = new Mutex();
  private final Set<String> named = new HashSet<>();

  String label(String workspace) {
    try (var _ = lock.hold()) {
      if (named.size() < MOST) {
        named.add(workspace);
      }
      return named.contains(workspace) ? workspace : OTHERS;
    }
  }
}
