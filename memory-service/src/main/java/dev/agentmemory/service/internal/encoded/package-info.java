/// Calls from other protocols, on an in-process server with the services of the gRPC server.
@NullMarked
package dev.agentmemory.service.internal.encoded;

import org.jspecify.annotations.NullMarked;
