/// Readers of everything that was derived from events, also of what no reader of the table of
/// contents leads to.
@NullMarked
package dev.agentmemory.store.derived;

import org.jspecify.annotations.NullMarked;
