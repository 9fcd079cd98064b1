@NullMarked
package dev.agentmemory.cli.process;

import org.jspecify.annotations.NullMarked;
