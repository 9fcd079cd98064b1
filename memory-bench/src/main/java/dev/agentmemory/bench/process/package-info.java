/// Benchmarks of the daemon's process and of commands: start, waiting time and memory, also as a
/// store grows.
@NullMarked
package dev.agentmemory.bench.process;

import org.jspecify.annotations.NullMarked;
