/// Texts and pages that try to do harm in the console.
@NullMarked
package dev.agentmemory.bench.console.hostile;

import org.jspecify.annotations.NullMarked;
