/// What is measured, for Prometheus.
@NullMarked
package dev.agentmemory.gateway.metrics;

import org.jspecify.annotations.NullMarked;
