/// How much of what is secret is masked, and what that costs.
@NullMarked
package dev.agentmemory.bench.secrets;

import org.jspecify.annotations.NullMarked;
