/// What is measured of an engine.
@NullMarked
package dev.agentmemory.api.metrics;

import org.jspecify.annotations.NullMarked;
