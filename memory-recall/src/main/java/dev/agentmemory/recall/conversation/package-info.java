/// Channels, conversations and scratchpads.
///
/// A conversation is a session of the event log. Its status, times and channel are derived from the
/// log whenever they are read, so events need no further processing. Only what a person or an agent
/// set is stored, in records.
@NullMarked
package dev.agentmemory.recall.conversation;

import org.jspecify.annotations.NullMarked;
