/// What a module implements, or is given, to do work in the background: projections of the outbox,
/// jobs, and the thread of a loop.
@NullMarked
package dev.agentmemory.spi;

import org.jspecify.annotations.NullMarked;
