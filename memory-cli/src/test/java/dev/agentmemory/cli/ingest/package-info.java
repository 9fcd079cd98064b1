@NullMarked
package dev.agentmemory.cli.ingest;

import org.jspecify.annotations.NullMarked;
