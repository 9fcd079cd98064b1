package dev.agentmemory.gateway.rpc;

import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What headers of a request say about the call that it makes.
public final class CallHeaders {

  private static final String TIMEOUT = "memory-timeout-ms";
  private static final long MOST_MILLIS = Duration.ofHours(1).toMillis();

  /// The headers that are metadata of the call.
  private static final List<String> METADATA = List.of("authorization", "memory-workspace");

  private CallHeaders() {}

  /// Token and workspace.
  public static Map<String, String> metadata(HttpCall call) {
    Map<String, String> metadata = new HashMap<>();
    METADATA.forEach(name -> call.header(name).ifPresent(value -> metadata.put(name, value)));
    return metadata;
  }

  /// How long the caller waits.
  ///
  /// @throws MemoryException `INVALID_FIELD` if it is no number of milliseconds up to an hour
  public static Optional<Duration> timeout(HttpCall call) {
    return call.header(TIMEOUT).map(CallHeaders::millis).map(Duration::ofMillis);
  }

  private static long millis(String text) {
    try {
      long millis = Long.parseLong(text.strip());
      if (millis >= 1 && millis <= MOST_MILLIS) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw MemoryException.invalid(TIMEOUT, "is not a number from 1 to " + MOST_MILLIS);
  }
}
