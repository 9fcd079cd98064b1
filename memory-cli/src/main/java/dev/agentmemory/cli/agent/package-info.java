/// Commands about coding agents: installation, capture, and what was recorded.
@NullMarked
package dev.agentmemory.cli.agent;

import org.jspecify.annotations.NullMarked;
