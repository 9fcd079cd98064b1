/// From what was typed to a query of the index.
@NullMarked
package dev.agentmemory.search.internal.query;

import org.jspecify.annotations.NullMarked;
