package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.RefusedRequests;
import java.net.UnixDomainSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.jetty.io.Connection;

/// Keeps count of the open connections, and closes those on which the head or the body of a request
/// arrives too slowly. Jetty's idle timeout starts anew with each byte, so one byte at a time would
/// hold a connection for hours.
///
/// A sweep counts for a connection while a request is being received. After some of them its bytes
/// must reach the least number for each. What the route does with the request is not counted.
final class ConnectionSpeeds implements Connection.Listener {

  private final Map<Connection, Speed> open = new ConcurrentHashMap<>();
  private final RefusedRequests refused;
  private final GatewayLimits limits;

  ConnectionSpeeds(RefusedRequests refused, GatewayLimits limits) {
    this.refused = refused;
    this.limits = limits;
  }

  @Override
  public void onOpened(Connection connection) {
    open.put(connection, new Speed());
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  /// The request is complete; the route works.
  void received(Connection connection) {
    Speed speed = open.get(connection);
    if (speed != null) {
      speed.pause();
    }
  }

  /// The answer is sent; what arrives from now on is the next request.
  void answered(Connection connection) {
    Speed speed = open.get(connection);
    if (speed != null) {
      speed.resume(connection.getBytesIn());
    }
  }

  /// Looks at all connections.
  void sweep() {
    Set<Boolean> crowded =
        open.keySet().stream()
            .collect(Collectors.groupingBy(ConnectionSpeeds::isUnix, Collectors.counting()))
            .entrySet()
            .stream()
            .filter(transport -> transport.getValue() >= limits.connections())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    open.forEach((connection, speed) -> {
      long bytes = connection.getBytesIn();
      if (speed.isTooSlow(bytes)) {
        close(connection, RefusalReason.SLOW);
      } else if (speed.isIdle(bytes) && crowded.contains(isUnix(connection))) {
        close(connection, RefusalReason.CONNECTIONS);
      }
    });
  }

  private void close(Connection connection, RefusalReason reason) {
    refused.add(reason);
    connection.getEndPoint().close();
  }

  private static boolean isUnix(Connection connection) {
    return connection.getEndPoint().getLocalSocketAddress() instanceof UnixDomainSocketAddress;
  }

  /// The bytes of the request that is being received.
  private final class Speed {

    private boolean working;
    private long before;
    private int sweeps;
    private int idleSweeps;

    synchronized void pause() {
      working = true;
    }

    synchronized void resume(long bytes) {
      working = false;
      before = bytes;
      sweeps = 0;
      idleSweeps = 0;
    }

    synchronized boolean isTooSlow(long bytes) {
      if (working || bytes == before) {
        return false;
      }
      sweeps++;
      return sweeps > limits.graceSweeps() && bytes - before < sweeps * limits.leastBytes();
    }

    synchronized boolean isIdle(long bytes) {
      idleSweeps = working || bytes != before ? 0 : idleSweeps + 1;
      return idleSweeps > 1;
    }
  }
}
