/// Daemon processes of this machine: which one has a data directory, and starting and ending one.
@NullMarked
package dev.agentmemory.cli.process;

import org.jspecify.annotations.NullMarked;
