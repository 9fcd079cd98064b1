/// Commands for curated memories, channels and conversations.
@NullMarked
package dev.agentmemory.cli.recall;

import org.jspecify.annotations.NullMarked;
