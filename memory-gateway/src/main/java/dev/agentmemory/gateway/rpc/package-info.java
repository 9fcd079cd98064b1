/// The unary calls of the API over HTTP.
@NullMarked
package dev.agentmemory.gateway.rpc;

import org.jspecify.annotations.NullMarked;
