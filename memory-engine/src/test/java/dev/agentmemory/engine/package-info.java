@NullMarked
package dev.agentmemory.engine;

import org.jspecify.annotations.NullMarked;
