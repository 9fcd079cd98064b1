/// Truth over time: which statements replace former ones.
@NullMarked
package dev.agentmemory.recall.truth;

import org.jspecify.annotations.NullMarked;
