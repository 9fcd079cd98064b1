/// The connections of the gRPC server, and the threads that serve them.
@NullMarked
package dev.agentmemory.service.internal.connection;

import org.jspecify.annotations.NullMarked;
