/// Benchmarks of what a search finds: messages that answer a question, and the newer of two
/// statements.
@NullMarked
package dev.agentmemory.bench.retrieval;

import org.jspecify.annotations.NullMarked;
