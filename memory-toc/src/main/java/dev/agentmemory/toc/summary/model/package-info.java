/// Summaries by a language model: what it is asked, and what of its answer is believed.
@NullMarked
package dev.agentmemory.toc.summary.model;

import org.jspecify.annotations.NullMarked;
