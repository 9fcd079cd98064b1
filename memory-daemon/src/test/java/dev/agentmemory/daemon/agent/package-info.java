@NullMarked
package dev.agentmemory.daemon.agent;

import org.jspecify.annotations.NullMarked;
