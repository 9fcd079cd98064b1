/// Benchmarks of the packaged daemon. Each one starts the daemon as a user does, calls it as a
/// client does, compares within one run, and reports whether its thresholds are met.
@NullMarked
package dev.agentmemory.bench;

import org.jspecify.annotations.NullMarked;
