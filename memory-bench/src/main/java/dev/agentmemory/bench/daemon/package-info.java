/// The packaged daemon and its commands as processes: how they are started, called and ended, and
/// what they take of processor time and memory.
@NullMarked
package dev.agentmemory.bench.daemon;

import org.jspecify.annotations.NullMarked;
