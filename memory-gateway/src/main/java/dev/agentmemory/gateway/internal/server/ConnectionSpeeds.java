package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.RefusedRequests;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;

/// Closes connections on which the head or the body of a request arrives too slowly. Jetty's idle
/// timeout starts anew with each byte, so one byte at a time would hold a connection for hours.
///
/// A sweep counts for a connection while a request is being received. After some of them its bytes
/// must reach the least number for each. What the route does with the request is not counted.
public final class ConnectionSpeeds implements Connection.Listener {

  private final Map<Connection, Speed> open = new ConcurrentHashMap<>();
  private final RefusedRequests refused;
  private final int graceSweeps;
  private final long leastBytes;

  public ConnectionSpeeds(RefusedRequests refused, int graceSweeps, long leastBytes) {
    this.refused = refused;
    this.graceSweeps = graceSweeps;
    this.leastBytes = leastBytes;
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
  public void sweep() {
    open.forEach((connection, speed) -> {
      if (speed.isTooSlow(connection.getBytesIn())) {
        refused.add(RefusalReason.SLOW);
        connection.getEndPoint().close();
      }
    });
  }

  /// The bytes of the request that is being received.
  private final class Speed {

    private boolean working;
    private long before;
    private int sweeps;

    synchronized void pause() {
      working = true;
    }

    synchronized void resume(long bytes) {
      working = false;
      before = bytes;
      sweeps = 0;
    }

    synchronized boolean isTooSlow(long bytes) {
      if (working || bytes == before) {
        return false;
      }
      sweeps++;
      return sweeps > graceSweeps && bytes - before < sweeps * leastBytes;
    }
  }
}
