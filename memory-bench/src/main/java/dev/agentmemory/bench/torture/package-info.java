/// Random schedules of faults, and what is stored afterwards.
@NullMarked
package dev.agentmemory.bench.torture;

import org.jspecify.annotations.NullMarked;
