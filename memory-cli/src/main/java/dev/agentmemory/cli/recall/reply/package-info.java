/// Memories, channels and conversations as text and JSON.
@NullMarked
package dev.agentmemory.cli.recall.reply;

import org.jspecify.annotations.NullMarked;
