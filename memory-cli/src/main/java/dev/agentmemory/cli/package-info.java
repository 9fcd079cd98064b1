/// The command line: `memory` and the commands that talk to a running daemon.
@NullMarked
package dev.agentmemory.cli;

import org.jspecify.annotations.NullMarked;
