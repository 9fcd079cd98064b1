/// Extraction of decisions, preferences and findings from what was said in a conversation.
@NullMarked
package dev.agentmemory.recall.extract;

import org.jspecify.annotations.NullMarked;
