@NullMarked
package dev.agentmemory.cli.reply;

import org.jspecify.annotations.NullMarked;
