/// A real PostgreSQL for tests, which needs nothing installed.
@NullMarked
package dev.agentmemory.testkit.postgres;

import org.jspecify.annotations.NullMarked;
