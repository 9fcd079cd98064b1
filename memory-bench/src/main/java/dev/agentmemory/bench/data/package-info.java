/// The events that benchmarks store: generated ones, the same in every run, and those of data sets
/// and session logs.
@NullMarked
package dev.agentmemory.bench.data;

import org.jspecify.annotations.NullMarked;
