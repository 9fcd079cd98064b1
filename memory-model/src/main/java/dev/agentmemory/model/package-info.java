/// The client of model providers: chat and embeddings over HTTP, with limits and retries.
@NullMarked
package dev.agentmemory.model;

import org.jspecify.annotations.NullMarked;
