/// How well curated memories are extracted and kept true.
@NullMarked
package dev.agentmemory.bench.recall;

import org.jspecify.annotations.NullMarked;
