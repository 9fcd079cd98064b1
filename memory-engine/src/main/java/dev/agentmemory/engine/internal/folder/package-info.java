/// The folders of workspaces, and what is noted about them.
@NullMarked
package dev.agentmemory.engine.internal.folder;

import org.jspecify.annotations.NullMarked;
