/// Benchmarks of the search index: how fast it answers and takes in events, its size, and
/// embeddings.
@NullMarked
package dev.agentmemory.bench.search;

import org.jspecify.annotations.NullMarked;
