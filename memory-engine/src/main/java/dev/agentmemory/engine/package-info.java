/// The engine: workspaces and all that works on them, behind the API, in this process.
@NullMarked
package dev.agentmemory.engine;

import org.jspecify.annotations.NullMarked;
