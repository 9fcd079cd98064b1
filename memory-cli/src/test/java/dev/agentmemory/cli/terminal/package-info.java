@NullMarked
package dev.agentmemory.cli.terminal;

import org.jspecify.annotations.NullMarked;
