/// What the MCP tools and resources do with a memory.
@NullMarked
package dev.agentmemory.gateway.mcp.tool;

import org.jspecify.annotations.NullMarked;
