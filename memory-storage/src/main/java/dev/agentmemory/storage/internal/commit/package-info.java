/// The write path: encodes commits on the callers' threads, groups them, writes each group in one
/// synced batch.
@NullMarked
package dev.agentmemory.storage.internal.commit;

import org.jspecify.annotations.NullMarked;
