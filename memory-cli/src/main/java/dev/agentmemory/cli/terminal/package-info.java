/// Output as text and JSON, and exit codes.
@NullMarked
package dev.agentmemory.cli.terminal;

import org.jspecify.annotations.NullMarked;
