@NullMarked
package dev.agentmemory.cli.agent.history;

import org.jspecify.annotations.NullMarked;
