/// Backups of stores: when they are made, where they go, and how fast.
@NullMarked
package dev.agentmemory.engine.backup;

import org.jspecify.annotations.NullMarked;
