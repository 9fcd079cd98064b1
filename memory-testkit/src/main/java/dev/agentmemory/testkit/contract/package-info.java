/// Suites that every implementation of a port must pass, and the model with random commits.
@NullMarked
package dev.agentmemory.testkit.contract;

import org.jspecify.annotations.NullMarked;
