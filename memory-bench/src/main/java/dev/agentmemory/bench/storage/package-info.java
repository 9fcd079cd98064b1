/// Benchmarks of storing events: how fast, how large, in which order, and during a backup.
@NullMarked
package dev.agentmemory.bench.storage;

import org.jspecify.annotations.NullMarked;
