package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.toc.Crew;
import dev.agentmemory.toc.TokenCounter;
import dev.agentmemory.toc.summary.Summarizer;
import java.time.Instant;

/// What all workspaces of a daemon have in common, so that many cost little more than one.
///
/// @param startedAt when the daemon was started
record SharedParts(
    DaemonConfig config,
    TokenCounter tokens,
    Summarizer summarizer,
    Crew crew,
    Instant startedAt) {}
