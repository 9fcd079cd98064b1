/// Files beside the rows: header, lock and witness.
@NullMarked
package dev.agentmemory.storage.internal.home;

import org.jspecify.annotations.NullMarked;
