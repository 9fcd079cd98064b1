/// Tests of what a store means.
@NullMarked
package dev.agentmemory.storage;

import org.jspecify.annotations.NullMarked;
