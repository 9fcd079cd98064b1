/// What agents put into the text of an event that nobody said.
@NullMarked
package dev.agentmemory.text.injected;

import org.jspecify.annotations.NullMarked;
