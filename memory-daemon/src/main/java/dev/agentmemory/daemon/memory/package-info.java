/// How much memory the daemon takes, and what happens before it is too much.
@NullMarked
package dev.agentmemory.daemon.memory;

import org.jspecify.annotations.NullMarked;
