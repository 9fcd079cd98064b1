package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.hook.AgentsConfig;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.toc.segment.SegmentationConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that can be set. The records that use the values declare the settings.
final class Settings {

  /// In the order of docs/configuration.md.
  static final List<Setting<?>> ALL =
      Stream.<List<? extends Setting<?>>>of(
              List.of(EngineConfig.DB_PATH, ListenAddress.HOST, RpcConfig.PORT, GatewayConfig.PORT),
              ListenAddress.TLS,
              ConnectionLimits.SETTINGS,
              ClientLimits.SETTINGS,
              List.of(DaemonConfig.CEILING),
              List.of(DaemonConfig.LOOPBACK_OPEN, DaemonConfig.NO_BEARER_OVER_TCP),
              WorkspacesConfig.SETTINGS,
              List.of(StorageConfig.DURABILITY, StorageConfig.ZONE, EngineConfig.ROLLUP_DEBOUNCE),
              SegmentationConfig.SETTINGS,
              IngestLimits.SETTINGS,
              List.of(EngineConfig.STORAGE_ENGINE),
              StorageConfig.SETTINGS,
              PostgresConfig.SETTINGS,
              SummarizerConfig.SETTINGS,
              EmbeddingConfig.SETTINGS,
              AgentsConfig.SETTINGS,
              LogConfig.SETTINGS,
              BackupConfig.SETTINGS,
              RetentionConfig.SETTINGS,
              RecallConfig.SETTINGS,
              JobsConfig.SCHEDULES,
              List.of(BackupConfig.CRON, RetentionConfig.CRON),
              JobsConfig.SETTINGS)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private static final Map<String, Setting<?>> BY_KEY =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Setting::key, Function.identity()));

  private Settings() {}

  static Optional<Setting<?>> named(String key) {
    return Optional.ofNullable(BY_KEY.get(key));
  }
}
