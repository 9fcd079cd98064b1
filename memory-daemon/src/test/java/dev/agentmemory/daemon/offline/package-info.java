@NullMarked
package dev.agentmemory.daemon.offline;

import org.jspecify.annotations.NullMarked;
