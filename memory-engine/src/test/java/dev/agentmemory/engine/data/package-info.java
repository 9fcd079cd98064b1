@NullMarked
package dev.agentmemory.engine.data;

import org.jspecify.annotations.NullMarked;
