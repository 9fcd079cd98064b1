/// Summarisers: what a stretch of conversation, or a period, says in a few statements.
@NullMarked
package dev.agentmemory.toc.summary;

import org.jspecify.annotations.NullMarked;
