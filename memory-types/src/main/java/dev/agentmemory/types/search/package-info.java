/// What is asked of a search and what it answers.
@NullMarked
package dev.agentmemory.types.search;

import org.jspecify.annotations.NullMarked;
