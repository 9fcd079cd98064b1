package dev.agentmemory.engine;

import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.internal.measure.EngineMeasures;
import dev.agentmemory.engine.internal.recall.SharedRecall;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import java.util.Optional;
import java.util.function.Supplier;

/// What all workspaces of a daemon have in common, so that many cost little more than one.
///
/// @param model replaces the extractive summaries; empty when none is configured
/// @param embedding gives events their vectors
/// @param recall what the curated memories of all workspaces share
/// @param imports lets background work of workspaces wait for imports
/// @param measures what is measured of all workspaces
/// @param files those outside the stores that hold parts of conversations
record EngineContext(
    EngineConfig config,
    TokenCounter tokens,
    Summarizer summarizer,
    Optional<ModelSummarizer> model,
    ParallelMapper mapper,
    EmbeddingThread embedding,
    SharedRecall recall,
    ImportDeferral.Activity imports,
    EngineMeasures measures,
    Supplier<ConversationFiles> files) {}
