/// The search index of an open workspace: opened on demand, kept in line with the store, rebuilt.
@NullMarked
package dev.agentmemory.search.workspace;

import org.jspecify.annotations.NullMarked;
