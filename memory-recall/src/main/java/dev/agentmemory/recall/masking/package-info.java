/// Masks secrets in what is stored of memories and conversations already.
@NullMarked
package dev.agentmemory.recall.masking;

import org.jspecify.annotations.NullMarked;
