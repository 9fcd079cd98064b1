/// How long segments are, counted in tokens.
@NullMarked
package dev.agentmemory.toc.segment;

import org.jspecify.annotations.NullMarked;
