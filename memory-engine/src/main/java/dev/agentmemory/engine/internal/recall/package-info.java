/// The curated memories of workspaces and of the account, wired to their stores.
@NullMarked
package dev.agentmemory.engine.internal.recall;

import org.jspecify.annotations.NullMarked;
