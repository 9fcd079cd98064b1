/// Cuts sessions into segments.
@NullMarked
package dev.agentmemory.toc.internal.segment;

import org.jspecify.annotations.NullMarked;
