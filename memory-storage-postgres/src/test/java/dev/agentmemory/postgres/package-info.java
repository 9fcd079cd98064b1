/// Tests of stores in PostgreSQL.
@NullMarked
package dev.agentmemory.postgres;

import org.jspecify.annotations.NullMarked;
