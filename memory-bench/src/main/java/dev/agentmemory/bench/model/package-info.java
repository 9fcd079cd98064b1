/// Benchmarks of calls to language models: what they read, and what happens when they do not
/// answer.
@NullMarked
package dev.agentmemory.bench.model;

import org.jspecify.annotations.NullMarked;
