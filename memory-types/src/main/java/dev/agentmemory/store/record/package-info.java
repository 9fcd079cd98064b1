/// Rows that modules keep in a store, which does not read their values.
@NullMarked
package dev.agentmemory.store.record;

import org.jspecify.annotations.NullMarked;
