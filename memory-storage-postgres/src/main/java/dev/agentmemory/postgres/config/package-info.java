/// Settings of a database.
@NullMarked
package dev.agentmemory.postgres.config;

import org.jspecify.annotations.NullMarked;
