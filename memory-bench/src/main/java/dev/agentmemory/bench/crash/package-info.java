/// Kills the daemon while clients write, and checks that nothing acknowledged is lost.
@NullMarked
package dev.agentmemory.bench.crash;

import org.jspecify.annotations.NullMarked;
