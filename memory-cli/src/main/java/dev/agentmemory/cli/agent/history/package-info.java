/// Imports the sessions that agents recorded themselves.
@NullMarked
package dev.agentmemory.cli.agent.history;

import org.jspecify.annotations.NullMarked;
