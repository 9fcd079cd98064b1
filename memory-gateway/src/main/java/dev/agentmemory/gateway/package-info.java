/// The HTTP server: hooks, MCP and JSON calls, on loopback and on a Unix socket.
@NullMarked
package dev.agentmemory.gateway;

import org.jspecify.annotations.NullMarked;
