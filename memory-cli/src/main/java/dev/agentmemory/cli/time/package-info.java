/// Times and ranges as users write and read them.
@NullMarked
package dev.agentmemory.cli.time;

import org.jspecify.annotations.NullMarked;
