/// Where memories stand at a time: their relevance, how it falls, and what they have replaced.
@NullMarked
package dev.agentmemory.api.standing;

import org.jspecify.annotations.NullMarked;
