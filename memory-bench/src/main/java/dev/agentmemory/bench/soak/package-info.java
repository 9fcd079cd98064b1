/// A daemon that works for a long time.
@NullMarked
package dev.agentmemory.bench.soak;

import org.jspecify.annotations.NullMarked;
