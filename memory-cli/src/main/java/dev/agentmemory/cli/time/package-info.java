/// Times and ranges as people write and read them.
@NullMarked
package dev.agentmemory.cli.time;

import org.jspecify.annotations.NullMarked;
