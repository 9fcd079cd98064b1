@NullMarked
package dev.agentmemory.cli;

import org.jspecify.annotations.NullMarked;
