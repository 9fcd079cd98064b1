/// What a benchmark is, and the place where it runs: its directory, its daemons, and a large store
/// that several benchmarks share.
@NullMarked
package dev.agentmemory.bench.run;

import org.jspecify.annotations.NullMarked;
