/// What is in a data directory: which files are ours, who may read them, what is deleted.
@NullMarked
package dev.agentmemory.engine.data;

import org.jspecify.annotations.NullMarked;
