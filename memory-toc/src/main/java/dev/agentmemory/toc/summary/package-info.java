/// Summarisers: reduce a part of a conversation, or a period, to a few statements.
@NullMarked
package dev.agentmemory.toc.summary;

import org.jspecify.annotations.NullMarked;
