/// Client of a daemon in the program's own types.
@NullMarked
package dev.agentmemory.client;

import org.jspecify.annotations.NullMarked;
