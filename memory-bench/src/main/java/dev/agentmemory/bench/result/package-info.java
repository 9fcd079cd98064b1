/// What a benchmark has found: measured values, figures with their thresholds, and the report.
@NullMarked
package dev.agentmemory.bench.result;

import org.jspecify.annotations.NullMarked;
