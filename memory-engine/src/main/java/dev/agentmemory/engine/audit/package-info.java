/// The audit log of a data directory.
@NullMarked
package dev.agentmemory.engine.audit;

import org.jspecify.annotations.NullMarked;
