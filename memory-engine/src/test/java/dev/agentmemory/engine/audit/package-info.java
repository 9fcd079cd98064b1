@NullMarked
package dev.agentmemory.engine.audit;

import org.jspecify.annotations.NullMarked;
