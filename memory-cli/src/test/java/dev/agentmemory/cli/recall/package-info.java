@NullMarked
package dev.agentmemory.cli.recall;

import org.jspecify.annotations.NullMarked;
