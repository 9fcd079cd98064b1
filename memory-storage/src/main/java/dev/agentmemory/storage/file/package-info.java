/// Files that are replaced atomically and survive a power failure.
@NullMarked
package dev.agentmemory.storage.file;

import org.jspecify.annotations.NullMarked;
