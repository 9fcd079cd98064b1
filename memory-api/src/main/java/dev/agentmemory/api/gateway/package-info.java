/// What a daemon tells about its HTTP server and the hooks of agents.
@NullMarked
package dev.agentmemory.api.gateway;

import org.jspecify.annotations.NullMarked;
