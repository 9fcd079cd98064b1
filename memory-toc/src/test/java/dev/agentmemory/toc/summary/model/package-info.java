/// Tests of summaries by a model, against a provider over real HTTP.
@NullMarked
package dev.agentmemory.toc.summary.model;

import org.jspecify.annotations.NullMarked;
