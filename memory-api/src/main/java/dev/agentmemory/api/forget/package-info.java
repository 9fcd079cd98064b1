/// What is asked of a memory that has to forget, and what it has forgotten.
@NullMarked
package dev.agentmemory.api.forget;

import org.jspecify.annotations.NullMarked;
