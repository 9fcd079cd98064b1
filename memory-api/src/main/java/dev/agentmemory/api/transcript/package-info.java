/// The events of a session, in parts.
@NullMarked
package dev.agentmemory.api.transcript;

import org.jspecify.annotations.NullMarked;
