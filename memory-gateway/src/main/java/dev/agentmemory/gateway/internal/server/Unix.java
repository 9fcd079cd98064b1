package dev.agentmemory.gateway.internal.server;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;

/// Tells the transports apart.
final class Unix {

  private Unix() {}

  static boolean is(Request request) {
    return request.getConnectionMetaData().getConnector() instanceof UnixDomainServerConnector;
  }
}
