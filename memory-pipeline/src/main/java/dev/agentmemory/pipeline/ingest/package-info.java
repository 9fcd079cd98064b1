/// Ingest: limits, checks, masking of secrets, the commit.
@NullMarked
package dev.agentmemory.pipeline.ingest;

import org.jspecify.annotations.NullMarked;
