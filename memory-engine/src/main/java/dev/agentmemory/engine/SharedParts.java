package dev.agentmemory.engine;

import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.toc.Crew;
import dev.agentmemory.toc.TokenCounter;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import java.time.Instant;
import java.util.Optional;

/// What all workspaces of a daemon have in common, so that many cost little more than one.
///
/// @param model writes better words than the summariser; empty when none is configured
/// @param embedding gives events their vectors
/// @param startedAt when the daemon was started
record SharedParts(
    EngineConfig config,
    TokenCounter tokens,
    Summarizer summarizer,
    Optional<ModelSummarizer> model,
    Crew crew,
    EmbeddingThread embedding,
    Instant startedAt) {}
