/// The commands: what a person types, and what they get to see.
@NullMarked
package dev.agentmemory.daemon.cli;

import org.jspecify.annotations.NullMarked;
