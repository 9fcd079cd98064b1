/// Files that are replaced as a whole and survive a power failure.
@NullMarked
package dev.agentmemory.storage.file;

import org.jspecify.annotations.NullMarked;
