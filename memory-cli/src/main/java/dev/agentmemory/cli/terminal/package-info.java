/// What is shown to a person or written as JSON, and exit codes.
@NullMarked
package dev.agentmemory.cli.terminal;

import org.jspecify.annotations.NullMarked;
