/// Summaries by a language model: what it is asked, how it is reached, and what of its answer is
/// believed. The clients of providers live here and nowhere else.
@NullMarked
package dev.agentmemory.toc.summary.model;

import org.jspecify.annotations.NullMarked;
