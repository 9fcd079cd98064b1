/// What the console needs and does, measured in a real browser: `memory-bench/run console`.
@NullMarked
package dev.agentmemory.bench.console;

import org.jspecify.annotations.NullMarked;
