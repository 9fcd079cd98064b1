@NullMarked
package dev.agentmemory.engine.offline;

import org.jspecify.annotations.NullMarked;
