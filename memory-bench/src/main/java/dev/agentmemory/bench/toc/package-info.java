/// Benchmarks of the table of contents: how fast it grows, its evidence, and its summaries.
@NullMarked
package dev.agentmemory.bench.toc;

import org.jspecify.annotations.NullMarked;
