/// Notes what commits change, for those who follow a workspace.
@NullMarked
package dev.agentmemory.engine.internal.changes;

import org.jspecify.annotations.NullMarked;
