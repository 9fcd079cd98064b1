/// Finds turns, scores them and puts them in order.
@NullMarked
package dev.agentmemory.search.internal.rank;

import org.jspecify.annotations.NullMarked;
