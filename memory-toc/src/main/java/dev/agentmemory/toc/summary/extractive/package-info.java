/// Summaries made of the sentences of the text itself.
@NullMarked
package dev.agentmemory.toc.summary.extractive;

import org.jspecify.annotations.NullMarked;
