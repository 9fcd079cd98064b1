/// Jobs: when they are due, their runs, their threads, their history.
@NullMarked
package dev.agentmemory.pipeline.job;

import org.jspecify.annotations.NullMarked;
