/// The Model Context Protocol over HTTP, without anything about memories: revisions, messages,
/// errors, methods.
@NullMarked
package dev.agentmemory.gateway.mcp.protocol;

import org.jspecify.annotations.NullMarked;
