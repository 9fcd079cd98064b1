@NullMarked
package dev.agentmemory.daemon.cli;

import org.jspecify.annotations.NullMarked;
