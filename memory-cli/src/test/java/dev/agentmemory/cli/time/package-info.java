@NullMarked
package dev.agentmemory.cli.time;

import org.jspecify.annotations.NullMarked;
