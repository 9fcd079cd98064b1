/// The one place where the parts are put together and started.
@NullMarked
package dev.agentmemory.daemon;

import org.jspecify.annotations.NullMarked;
