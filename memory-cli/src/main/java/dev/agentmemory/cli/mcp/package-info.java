/// The command `memory mcp`: a bridge from standard input and output to the daemon's Unix socket.
@NullMarked
package dev.agentmemory.cli.mcp;

import org.jspecify.annotations.NullMarked;
