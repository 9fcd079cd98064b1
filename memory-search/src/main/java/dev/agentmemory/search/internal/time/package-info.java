/// Times that a text names, in English and as filters.
@NullMarked
package dev.agentmemory.search.internal.time;

import org.jspecify.annotations.NullMarked;
