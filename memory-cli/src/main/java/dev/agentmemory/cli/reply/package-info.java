/// Answers of the daemon as text and as JSON.
@NullMarked
package dev.agentmemory.cli.reply;

import org.jspecify.annotations.NullMarked;
