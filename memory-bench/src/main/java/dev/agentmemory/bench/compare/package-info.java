/// Comparisons of the package of this checkout with that of another one.
@NullMarked
package dev.agentmemory.bench.compare;

import org.jspecify.annotations.NullMarked;
