/// The metrics and their names. Only this package uses Micrometer.
@NullMarked
package dev.agentmemory.gateway.internal.metrics;

import org.jspecify.annotations.NullMarked;
