/// An HTTP/2 client without threads of its own, for commands that make a few calls.
@NullMarked
package dev.agentmemory.client.internal.http2;

import org.jspecify.annotations.NullMarked;
