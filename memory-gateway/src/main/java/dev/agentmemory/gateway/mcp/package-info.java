/// The MCP endpoint: its tools over the memory, and its route of the HTTP server.
@NullMarked
package dev.agentmemory.gateway.mcp;

import org.jspecify.annotations.NullMarked;
