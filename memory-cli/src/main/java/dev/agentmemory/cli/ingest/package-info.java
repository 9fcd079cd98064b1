/// Events as JSON lines, and sending them.
@NullMarked
package dev.agentmemory.cli.ingest;

import org.jspecify.annotations.NullMarked;
