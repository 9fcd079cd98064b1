@NullMarked
package dev.agentmemory.engine.backup;

import org.jspecify.annotations.NullMarked;
