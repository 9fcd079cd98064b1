/// Checks what a model claims against the text that it was given.
@NullMarked
package dev.agentmemory.toc.internal.check;

import org.jspecify.annotations.NullMarked;
