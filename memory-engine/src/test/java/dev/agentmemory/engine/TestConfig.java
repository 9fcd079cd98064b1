package dev.agentmemory.engine;

import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.engine.internal.measure.EngineMeasures;
import dev.agentmemory.engine.internal.recall.SharedRecall;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What engines of tests are told: the defaults, but for rollups that do not wait for long.
final class TestConfig {

  /// No vectors, so no model is loaded.
  static final EmbeddingConfig NO_EMBEDDING =
      new EmbeddingConfig(
          EmbeddingConfig.Provider.NONE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Duration.ofSeconds(30),
          1);

  private TestConfig() {}

  /// What memories of tests without an account share.
  static SharedRecall recall(EmbeddingThread embedding, Path data) {
    return recall(embedding, data, AccountMemories.NONE);
  }

  private static SharedRecall recall(
      EmbeddingThread embedding, Path data, AccountMemories account) {
    return new SharedRecall(
        SharedRecall.services(SystemServices.ofMachine(), EngineConfig.defaults(data)),
        ParallelMapper.ALONE,
        embedding,
        String::length,
        Optional.empty(),
        Optional.empty(),
        account);
  }

  /// What a workspace is opened with: extractive summaries, and memories without an account.
  static EngineContext context(
      EngineConfig config, EmbeddingThread embedding, Path data, ImportDeferral.Activity imports) {
    return context(config, embedding, data, imports, AccountMemories.NONE, ConversationFiles.NONE);
  }

  /// The same with an account, and with files outside the stores.
  static EngineContext context(
      EngineConfig config,
      EmbeddingThread embedding,
      Path data,
      ImportDeferral.Activity imports,
      AccountMemories account,
      ConversationFiles files) {
    return new EngineContext(
        config,
        String::length,
        new ExtractiveSummarizer(),
        Optional.empty(),
        ParallelMapper.ALONE,
        embedding,
        recall(embedding, data, account),
        imports,
        new EngineMeasures(SystemServices.ofMachine()),
        () -> files);
  }

  /// Without embeddings and backups.
  static EngineConfig plain(Path data) {
    return of(data, WorkspacesConfig.DEFAULT, NO_EMBEDDING, BackupConfig.DEFAULT);
  }

  /// Open segments get their digests after a time without an event.
  static EngineConfig withRest(Path data, Duration rest) {
    EngineConfig plain = plain(data);
    SegmentationConfig segmentation = plain.segmentation();
    return new EngineConfig(
        plain.data(),
        plain.db(),
        new SegmentationConfig(
            segmentation.timeThreshold(),
            segmentation.tokenThreshold(),
            segmentation.toolWeight(),
            segmentation.overlapTime(),
            segmentation.overlapTokens(),
            segmentation.maxToolResultChars(),
            rest),
        plain.rollupDebounce(),
        plain.ingest(),
        plain.storage(),
        plain.database(),
        plain.workspaces(),
        plain.summarizer(),
        plain.embedding(),
        plain.jobs(),
        plain.backup(),
        plain.retention(),
        plain.recall());
  }

  static EngineConfig of(
      Path data, WorkspacesConfig workspaces, EmbeddingConfig embedding, BackupConfig backup) {
    EngineConfig defaults = EngineConfig.defaults(data);
    return new EngineConfig(
        defaults.data(),
        defaults.db(),
        defaults.segmentation(),
        Duration.ofMillis(10),
        defaults.ingest(),
        defaults.storage(),
        defaults.database(),
        workspaces,
        defaults.summarizer(),
        embedding,
        defaults.jobs(),
        backup,
        RetentionConfig.DEFAULT,
        defaults.recall());
  }
}
