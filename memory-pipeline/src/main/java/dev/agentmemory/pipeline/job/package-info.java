/// Jobs: schedules, runs, threads and history.
@NullMarked
package dev.agentmemory.pipeline.job;

import org.jspecify.annotations.NullMarked;
