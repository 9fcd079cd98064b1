/// The jobs that check and maintain a store.
@NullMarked
package dev.agentmemory.storage.job;

import org.jspecify.annotations.NullMarked;
