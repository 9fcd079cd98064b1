@NullMarked
package dev.agentmemory.daemon.log;

import org.jspecify.annotations.NullMarked;
