/// Stores in one PostgreSQL database.
@NullMarked
package dev.agentmemory.postgres;

import org.jspecify.annotations.NullMarked;
