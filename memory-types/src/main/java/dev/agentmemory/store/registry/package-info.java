/// The stores that there are.
@NullMarked
package dev.agentmemory.store.registry;

import org.jspecify.annotations.NullMarked;
