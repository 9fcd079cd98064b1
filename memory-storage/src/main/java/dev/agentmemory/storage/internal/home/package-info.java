/// What lies beside the rows: the header, the lock, the witness.
@NullMarked
package dev.agentmemory.storage.internal.home;

import org.jspecify.annotations.NullMarked;
