/// How many connections the gRPC server has.
@NullMarked
package dev.agentmemory.service.connection;

import org.jspecify.annotations.NullMarked;
