/// The API over one open store.
@NullMarked
package dev.agentmemory.engine.internal.local;

import org.jspecify.annotations.NullMarked;
