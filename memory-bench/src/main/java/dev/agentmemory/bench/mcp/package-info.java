/// Benchmarks of the MCP endpoint.
@NullMarked
package dev.agentmemory.bench.mcp;

import org.jspecify.annotations.NullMarked;
