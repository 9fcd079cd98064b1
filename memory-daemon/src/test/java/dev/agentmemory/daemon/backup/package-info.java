@NullMarked
package dev.agentmemory.daemon.backup;

import org.jspecify.annotations.NullMarked;
