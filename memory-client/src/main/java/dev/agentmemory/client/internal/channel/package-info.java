/// How a gRPC channel reaches the daemon.
@NullMarked
package dev.agentmemory.client.internal.channel;

import org.jspecify.annotations.NullMarked;
