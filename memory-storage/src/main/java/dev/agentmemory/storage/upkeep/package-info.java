/// What the store asks of an engine beside reading and writing rows.
@NullMarked
package dev.agentmemory.storage.upkeep;

import org.jspecify.annotations.NullMarked;
