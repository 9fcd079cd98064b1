/// What runs by itself: the door through which events come in, the worker that follows the outbox,
/// and the scheduler.
@NullMarked
package dev.agentmemory.pipeline;

import org.jspecify.annotations.NullMarked;
