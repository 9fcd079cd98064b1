/// Transcripts of coding agents as events: incremental, idempotent, tolerant.
@NullMarked
package dev.agentmemory.agents.transcript;

import org.jspecify.annotations.NullMarked;
