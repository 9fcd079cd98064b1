/// Rows as rows of tables, and the statements that read and write them.
@NullMarked
package dev.agentmemory.postgres.internal;

import org.jspecify.annotations.NullMarked;
