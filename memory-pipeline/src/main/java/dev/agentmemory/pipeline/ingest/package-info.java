/// Takes events in: limits, checks, secrets, the commit.
@NullMarked
package dev.agentmemory.pipeline.ingest;

import org.jspecify.annotations.NullMarked;
