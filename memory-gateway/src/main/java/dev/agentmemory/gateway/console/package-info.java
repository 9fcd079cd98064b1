/// The web console: its pages, and the keys with which they call the daemon.
@NullMarked
package dev.agentmemory.gateway.console;

import org.jspecify.annotations.NullMarked;
