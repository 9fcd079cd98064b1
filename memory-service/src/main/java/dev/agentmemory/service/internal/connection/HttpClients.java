package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.spi.Mutex;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The clients of calls that come over HTTP, by the name of their connection. A connection that has
/// not been used for long is forgotten.
public final class HttpClients {

  /// More than there are connections.
  private static final int MOST = 1024;

  private static final ThreadLocal<Optional<CallClient>> CALLING =
      ThreadLocal.withInitial(Optional::empty);

  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private final Map<String, CallClient> clients =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CallClient> eldest) {
          return size() > MOST;
        }
      };

  /// The client whose call begins on this thread.
  static Optional<CallClient> calling() {
    return CALLING.get();
  }

  /// Begins a call of a connection.
  public <T> T during(String connection, Supplier<T> call) {
    CALLING.set(Optional.of(client(connection)));
    try {
      return call.get();
    } finally {
      CALLING.remove();
    }
  }

  private CallClient client(String connection) {
    try (var _ = lock.hold()) {
      return clients.computeIfAbsent(connection, _ -> new CallClient());
    }
  }
}
