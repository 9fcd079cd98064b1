/// One client that takes more than its part, and how the others fare meanwhile.
@NullMarked
package dev.agentmemory.bench.abuse;

import org.jspecify.annotations.NullMarked;
