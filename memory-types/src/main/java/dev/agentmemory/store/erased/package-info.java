/// How a store recognises what was erased from it.
@NullMarked
package dev.agentmemory.store.erased;

import org.jspecify.annotations.NullMarked;
