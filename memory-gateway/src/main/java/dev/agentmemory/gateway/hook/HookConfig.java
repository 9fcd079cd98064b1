package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.transcript.TranscriptRoots;
import java.nio.file.Path;

/// How hooks are served.
///
/// @param data the data directory
/// @param agents what is recorded and answered
/// @param roots below which transcripts may be read
public record HookConfig(Path data, AgentsConfig agents, TranscriptRoots roots) {}
