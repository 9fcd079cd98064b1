/// Daemon processes of this machine: finding the daemon of a data directory, starting and stopping
/// one.
@NullMarked
package dev.agentmemory.cli.process;

import org.jspecify.annotations.NullMarked;
