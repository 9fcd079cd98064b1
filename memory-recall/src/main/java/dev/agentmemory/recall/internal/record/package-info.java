/// The rows of curated memories: keys, JSON form, checksums and digests.
@NullMarked
package dev.agentmemory.recall.internal.record;

import org.jspecify.annotations.NullMarked;
