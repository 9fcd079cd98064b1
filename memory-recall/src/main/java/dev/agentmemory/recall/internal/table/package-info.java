/// What is kept in the heap of the memories of a workspace or the account.
@NullMarked
package dev.agentmemory.recall.internal.table;

import org.jspecify.annotations.NullMarked;
