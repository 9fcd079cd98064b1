/// Maps what persons look at: counts of events by day, parts of sessions, where memories stand.
@NullMarked
package dev.agentmemory.wire.view;

import org.jspecify.annotations.NullMarked;
