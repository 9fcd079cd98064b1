@NullMarked
package dev.agentmemory.search.memory;

import org.jspecify.annotations.NullMarked;
