@NullMarked
package dev.agentmemory.search;

import org.jspecify.annotations.NullMarked;
