@NullMarked
package dev.agentmemory.daemon.command;

import org.jspecify.annotations.NullMarked;
