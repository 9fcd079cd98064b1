/// Background work: the worker that follows the outbox, the scheduler, and ingest.
@NullMarked
package dev.agentmemory.pipeline;

import org.jspecify.annotations.NullMarked;
