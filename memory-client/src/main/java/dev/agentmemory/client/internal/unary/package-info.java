/// How unary calls reach a daemon.
@NullMarked
package dev.agentmemory.client.internal.unary;

import org.jspecify.annotations.NullMarked;
