/// Channels, conversations and their scratchpads.
@NullMarked
package dev.agentmemory.api.conversation;

import org.jspecify.annotations.NullMarked;
