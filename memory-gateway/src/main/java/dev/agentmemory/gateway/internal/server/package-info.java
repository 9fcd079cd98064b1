/// The HTTP server itself, with Jetty.
@NullMarked
package dev.agentmemory.gateway.internal.server;

import org.jspecify.annotations.NullMarked;
