/// What the daemon's log looks like and where it goes. The only place that knows logback.
@NullMarked
package dev.agentmemory.daemon.data;

import org.jspecify.annotations.NullMarked;
