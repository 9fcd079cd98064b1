/// The ports of the store: one write path ([MemoryStore#commit]) and small readers. An
/// implementation may be embedded or distributed; callers assume ordered range reads, atomic
/// commits and the preconditions of [Change], nothing more.
@NullMarked
package dev.agentmemory.store;

import org.jspecify.annotations.NullMarked;
