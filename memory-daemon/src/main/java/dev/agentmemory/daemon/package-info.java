/// The process: settings, engine, server and log, put together and started.
@NullMarked
package dev.agentmemory.daemon;

import org.jspecify.annotations.NullMarked;
