/// Compares words by their forms, for summaries and for the check of what models answer.
@NullMarked
package dev.agentmemory.toc.internal.wording;

import org.jspecify.annotations.NullMarked;
