/// Unary calls of the API with encoded messages: what a server of another protocol passes on.
@NullMarked
package dev.agentmemory.api.encoded;

import org.jspecify.annotations.NullMarked;
