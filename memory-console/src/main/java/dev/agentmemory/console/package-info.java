/// The files of the web console.
@NullMarked
package dev.agentmemory.console;

import org.jspecify.annotations.NullMarked;
