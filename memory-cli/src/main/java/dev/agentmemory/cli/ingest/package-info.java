/// Reads events from JSON lines and sends them.
@NullMarked
package dev.agentmemory.cli.ingest;

import org.jspecify.annotations.NullMarked;
