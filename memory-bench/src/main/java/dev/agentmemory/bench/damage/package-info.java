/// Damages files of a data directory, and checks what the daemon reports and what can be recovered.
@NullMarked
package dev.agentmemory.bench.damage;

import org.jspecify.annotations.NullMarked;
