/// Settings of curated memories, and what they need from other modules: an index of words, an
/// embedder, the mask of secrets, and what is known of sessions.
@NullMarked
package dev.agentmemory.recall;

import org.jspecify.annotations.NullMarked;
