/// What people do in the console, with the mouse and by keys alone, and whether all can use it.
@NullMarked
package dev.agentmemory.bench.console.flow;

import org.jspecify.annotations.NullMarked;
