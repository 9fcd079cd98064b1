/// The command that opens the web console.
@NullMarked
package dev.agentmemory.cli.console;

import org.jspecify.annotations.NullMarked;
