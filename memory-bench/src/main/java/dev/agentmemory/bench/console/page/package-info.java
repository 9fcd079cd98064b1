/// What all parts of the benchmark of the console use.
@NullMarked
package dev.agentmemory.bench.console.page;

import org.jspecify.annotations.NullMarked;
