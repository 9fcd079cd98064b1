/// The command line: `memory` and the commands that call a running daemon.
@NullMarked
package dev.agentmemory.cli;

import org.jspecify.annotations.NullMarked;
