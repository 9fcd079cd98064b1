package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/// How hooks are served.
///
/// @param data the data directory
/// @param workspaces of projects
/// @param roots below which transcripts may be read
/// @param excluded directories of projects of which nothing is stored
/// @param privateWord makes the session private whose first prompt has it; empty for none
/// @param context whether session starts and prompts are answered with context
/// @param deadline after which an answer goes out without context
public record HookConfig(
    Path data,
    ProjectWorkspaces workspaces,
    TranscriptRoots roots,
    Set<Path> excluded,
    String privateWord,
    boolean context,
    Duration deadline) {

  public static final String DEFAULT_PRIVATE_WORD = "#private";

  /// Less than `memory-hook` waits for an answer.
  public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(1500);

  public HookConfig {
    excluded = Set.copyOf(excluded);
  }

  /// What is not set.
  public static HookConfig defaults(Path data, TranscriptRoots roots) {
    return new HookConfig(
        data,
        ProjectWorkspaces.DEFAULT,
        roots,
        Set.of(),
        DEFAULT_PRIVATE_WORD,
        /* context= */ true,
        DEFAULT_DEADLINE);
  }
}
