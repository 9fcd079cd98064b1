@NullMarked
package dev.agentmemory.cli.mcp;

import org.jspecify.annotations.NullMarked;
