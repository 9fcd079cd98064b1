@NullMarked
package dev.agentmemory.daemon.data;

import org.jspecify.annotations.NullMarked;
