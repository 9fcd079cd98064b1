/// What is asked of a search and what it answers.
@NullMarked
package dev.agentmemory.api.search;

import org.jspecify.annotations.NullMarked;
