package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.Token;
import dev.agentmemory.engine.internal.local.LineChooser;
import dev.agentmemory.engine.internal.local.StatementModel;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.text.secret.SecretMask;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.toc.segment.TokenCounter;
import java.util.Optional;

/// What the memories of all workspaces of an engine share.
///
/// @param embedding gives memories their vectors
/// @param chooser revises orientations; empty unless it is configured
/// @param statements revises what is extracted; empty unless it is configured
public record SharedRecall(
    RecallServices services,
    ParallelMapper mapper,
    EmbeddingThread embedding,
    TokenCounter tokens,
    Optional<LineChooser> chooser,
    Optional<StatementModel> statements,
    AccountMemories account) {

  /// What memories are kept with.
  public static RecallServices services(SystemServices system, EngineConfig config) {
    return new RecallServices(
        system,
        Token.random(),
        config.recall(),
        config.ingest().maxClockSkew(),
        config.ingest().maskSecrets()
            ? new EventMask(new SecretMask(config.ingest().secretRules()))
            : TextMask.NONE);
  }
}
