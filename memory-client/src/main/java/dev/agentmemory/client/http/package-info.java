/// A small client of the daemon's HTTP server, which starts fast and knows Unix sockets.
@NullMarked
package dev.agentmemory.client.http;

import org.jspecify.annotations.NullMarked;
