/// Benchmarks on the packaged daemon. Each starts the daemon as a user does, speaks to it as a
/// client does, compares within one run and says whether its bars hold.
@NullMarked
package dev.agentmemory.bench;

import org.jspecify.annotations.NullMarked;
