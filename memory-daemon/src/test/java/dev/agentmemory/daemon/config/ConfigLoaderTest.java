package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.gateway.hook.AgentsConfig;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.recall.ConsolidationRules;
import dev.agentmemory.recall.DecayConfig;
import dev.agentmemory.recall.ExtractionConfig;
import dev.agentmemory.recall.OrientConfig;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.SessionLimits;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.connection.TlsFiles;
import dev.agentmemory.text.secret.SecretRules;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigLoaderTest {

  private static final Path DATA = Path.of("/data");

  @Test
  void load_nothingSet_tellsTheEngineItsDefaults() {
    assertThat(ConfigLoader.load(DATA, List.of()).engine()).isEqualTo(EngineConfig.defaults(DATA));
  }

  @Test
  void load_nothingSet_givesTheDefaults() {
    assertThat(ConfigLoader.load(DATA, List.of()))
        .isEqualTo(
            new DaemonConfig(
                new EngineConfig(
                    DATA,
                    DATA.resolve("db"),
                    SegmentationConfig.DEFAULT,
                    Duration.ofMillis(500),
                    IngestLimits.DEFAULT,
                    StorageConfig.DEFAULT,
                    Optional.empty(),
                    WorkspacesConfig.DEFAULT,
                    SummarizerConfig.DEFAULT,
                    new EmbeddingConfig(
                        EmbeddingConfig.Provider.LOCAL,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Duration.ofSeconds(30),
                        Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 16)),
                    JobsConfig.DEFAULT,
                    BackupConfig.DEFAULT,
                    RetentionConfig.DEFAULT,
                    RecallConfig.DEFAULT),
                ListenAddress.LOOPBACK,
                8738,
                8737,
                ConnectionLimits.DEFAULT,
                Optional.empty(),
                false,
                true,
                AgentsConfig.DEFAULT,
                new LogConfig(LogLevel.INFO, false, 10 << 20, 5)));
  }

  @Test
  void httpPort_withAFreeGrpcPort_isFreeUnlessItIsSet() {
    assertThat(load(List.of("grpc_port=0"), Map.of()).httpPort()).isZero();
    assertThat(load(List.of("grpc_port=0", "http.port=8737"), Map.of()).httpPort()).isEqualTo(8737);
    assertThat(load(List.of("grpc_port=50051"), Map.of()).httpPort()).isEqualTo(8737);
  }

  @Test
  void load_everythingSet_mapsEveryKey() {
    List<String> all =
        List.of(
            "db_path=/elsewhere/stores",
            "grpc_host=::1",
            "grpc_port=0",
            "http.port=4712",
            "grpc.tls_certificate=tls/certificate.pem",
            "grpc.tls_key=/elsewhere/key.pem",
            "grpc.max_connections=9",
            "grpc.idle_timeout=2m",
            "limits.client_calls=11",
            "limits.client_bytes=1MiB",
            "limits.client_streams=12",
            "limits.client_concurrency=13",
            "limits.client_requests=10MiB",
            "memory.ceiling=700MiB",
            "auth.loopback=open",
            "auth.bearer_over_tcp=refused",
            "multi_agent_mode=unified",
            "agent_id=me.2",
            "workspaces.max_open=3",
            "workspaces.idle_close=1h",
            "durability=async",
            "toc.zone=Europe/Paris",
            "toc.rollup_debounce=2s",
            "segmentation.time_threshold=1h30m",
            "segmentation.token_threshold=1000",
            "segmentation.tool_weight=0.5",
            "segmentation.overlap_time=90s",
            "segmentation.overlap_tokens=10",
            "segmentation.max_tool_result_chars=150",
            "segmentation.rest=7s",
            "ingest.max_clock_skew=1d",
            "ingest.mask_secrets=false",
            "ingest.secret_rules=none",
            "storage.engine=rocksdb",
            "storage.block_cache=1GiB",
            "storage.write_buffer=8388608",
            "storage.min_free=1MiB",
            "storage.queue_commits=7",
            "storage.queue_bytes=2MiB",
            "postgres.url=postgresql://db1,db2:6432/memory",
            "postgres.user=memory",
            "postgres.password_env=PG_SECRET",
            "postgres.tls=require",
            "postgres.schema=mem",
            "postgres.writers=2",
            "postgres.readers=3",
            "postgres.require_standby=false",
            "postgres.timeout=5s",
            "cluster.lease=30s",
            "summarizer.provider=local",
            "summarizer.model=small-1",
            "summarizer.api_key_env=SOME_KEY",
            "summarizer.api_base_url=https://localhost:1/v1",
            "summarizer.timeout=5s",
            "summarizer.max_output_tokens=300",
            "summarizer.context_tokens=4000",
            "summarizer.seed=7",
            "summarizer.daily_token_budget=0",
            "agents.workspaces=/work/shop = shop; /work/a=b=b.2",
            "agents.excluded=/work/secret;/work/other",
            "agents.private_word=off-the-record",
            "agents.context=false",
            "agents.context_deadline=1s",
            "log_level=debug",
            "log_to=file",
            "log_file_size=1MiB",
            "log_files=2",
            "jobs.compaction=0 3 * * *",
            "jobs.outbox_trim=0 * * * *",
            "jobs.integrity_check=0 2 1 * *",
            "jobs.llm_summaries=*/7 * * * *",
            "search.embeddings=ollama",
            "search.embedding_model=small-2",
            "search.embedding_api_key_env=OTHER_KEY",
            "search.embedding_api_base_url=http://localhost:2",
            "search.embedding_dimension=256",
            "search.embedding_timeout=6s",
            "search.embedding_threads=3",
            "jobs.embedding_backfill=*/9 * * * *",
            "jobs.search_calibration=*/7 * * * *",
            "jobs.scrub_period=2d",
            "jobs.consolidation=0 5 * * *",
            "recall.decay.enabled=false",
            "recall.decay.scope.channel=0.9",
            "recall.decay.scope.workspace=0.8",
            "recall.decay.scope.account=0.7",
            "recall.decay.half_life.conversation=1h",
            "recall.decay.half_life.finding=2h",
            "recall.decay.half_life.decision=3h",
            "recall.decay.floor=0.2",
            "recall.session_quota=1MiB",
            "recall.auto_compact=false",
            "recall.compact_at=0.8",
            "recall.compact_below=0.1",
            "recall.idle_after=2h",
            "recall.promote_relevance=0.6",
            "recall.promote_accesses=4",
            "recall.prune_below=0.02",
            "recall.merge_cosine=0.96",
            "recall.scope_cap=100",
            "recall.orient.refine=true",
            "recall.orient.refine_timeout=1s",
            "recall.extraction.refine=true",
            "recall.dedup_cosine=0.91",
            "recall.rrf_k=61",
            "recall.checksums=false",
            "recall.access_flush=2s",
            "backup.directory=/mnt/backups",
            "backup.keep=3",
            "backup.index=true",
            "backup.rate=2MiB",
            "backup.before_upgrade=false",
            "backup.key_file=/mnt/backup.key",
            "jobs.backup=*/8 * * * *",
            "retention.events=90d",
            "jobs.retention=*/9 * * * *",
            "jobs.zone=Asia/Tokyo",
            "jobs.jitter=5s",
            "jobs.timeout=10m");
    assertThat(all).hasSameSizeAs(Settings.ALL);

    assertThat(load(all, Map.of("SOME_KEY", "the-key", "OTHER_KEY", "the-other-key")))
        .isEqualTo(
            new DaemonConfig(
                new EngineConfig(
                    DATA,
                    Path.of("/elsewhere/stores"),
                    new SegmentationConfig(
                        Duration.ofMinutes(90),
                        1000,
                        0.5,
                        Duration.ofSeconds(90),
                        10,
                        150,
                        Duration.ofSeconds(7)),
                    Duration.ofSeconds(2),
                    new IngestLimits(
                        Duration.ofDays(1), 1 << 20, 64, 256, 8 << 10, false, SecretRules.BUILT_IN),
                    new StorageConfig(
                        Optional.of(ZoneId.of("Europe/Paris")),
                        1L << 30,
                        8L << 20,
                        1L << 20,
                        7,
                        2L << 20,
                        StorageConfig.Durability.ASYNC),
                    Optional.empty(),
                    new WorkspacesConfig(
                        WorkspacesConfig.Mode.UNIFIED, "me.2", 3, Duration.ofHours(1)),
                    new SummarizerConfig(
                        SummarizerConfig.Provider.OLLAMA,
                        Optional.of("small-1"),
                        Optional.of("SOME_KEY"),
                        Optional.of(URI.create("https://localhost:1/v1")),
                        Optional.of("the-key"),
                        Optional.of(7),
                        new SummarizerConfig.Limits(Duration.ofSeconds(5), 300, 4000, 0)),
                    new EmbeddingConfig(
                        EmbeddingConfig.Provider.OLLAMA,
                        Optional.of("small-2"),
                        Optional.of("OTHER_KEY"),
                        Optional.of(URI.create("http://localhost:2")),
                        Optional.of("the-other-key"),
                        Optional.of(256),
                        Duration.ofSeconds(6),
                        3),
                    new JobsConfig(
                        "0 3 * * *",
                        "0 * * * *",
                        "0 2 1 * *",
                        "*/7 * * * *",
                        "*/9 * * * *",
                        "*/7 * * * *",
                        "0 5 * * *",
                        Duration.ofDays(2),
                        ZoneId.of("Asia/Tokyo"),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(10)),
                    new BackupConfig(
                        Optional.of(Path.of("/mnt/backups")),
                        "*/8 * * * *",
                        3,
                        true,
                        2L << 20,
                        false,
                        Optional.of(Path.of("/mnt/backup.key"))),
                    new RetentionConfig(
                        new RetentionConfig.Kept.Younger(Duration.ofDays(90)), "*/9 * * * *"),
                    new RecallConfig(
                        new DecayConfig(
                            false,
                            0.9,
                            0.8,
                            0.7,
                            Duration.ofHours(1),
                            Duration.ofHours(2),
                            Duration.ofHours(3),
                            0.2),
                        new SessionLimits(1 << 20, false, 0.8, 0.1, Duration.ofHours(2)),
                        new ConsolidationRules(0.6, 4, 0.02, 0.96, 100),
                        new OrientConfig(true, Duration.ofSeconds(1)),
                        new ExtractionConfig(true),
                        0.91,
                        61,
                        false,
                        Duration.ofSeconds(2))),
                new ListenAddress(
                    "::1",
                    Optional.of(
                        new TlsFiles(
                            DATA.resolve("tls/certificate.pem"), Path.of("/elsewhere/key.pem"))),
                    false),
                0,
                4712,
                new ConnectionLimits(
                    9,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    ConnectionLimits.Unread.DEFAULT,
                    new ClientLimits(11, 1L << 20, 12, 13, 10L << 20, 20L << 20)),
                Optional.of(700L << 20),
                true,
                false,
                new AgentsConfig(
                    Map.of(
                        Path.of("/work/shop"),
                        new WorkspaceName("shop"),
                        Path.of("/work/a=b"),
                        new WorkspaceName("b.2")),
                    Set.of(Path.of("/work/secret"), Path.of("/work/other")),
                    Optional.of("off-the-record"),
                    false,
                    Duration.ofSeconds(1)),
                new LogConfig(LogLevel.DEBUG, true, 1 << 20, 2)));
  }

  @Test
  void load_flagAndEnvironment_flagWins() {
    Map<String, String> environment =
        Map.of("MEMORY_GRPC_PORT", "1111", "MEMORY_TOC_ZONE", "Asia/Tokyo");

    DaemonConfig config = load(List.of("grpc_port=2222"), environment);

    assertThat(config.port()).isEqualTo(2222);
    assertThat(config.engine().storage().zone()).contains(ZoneId.of("Asia/Tokyo"));
  }

  @Test
  void written_isWhatDiffersFromTheDefaults_fromTheSourceThatCounts() {
    WrittenSettings written =
        ConfigLoader.written(
            List.of(
                SettingSource.flags(List.of("grpc_port=1111", "toc.zone=Asia/Tokyo")),
                SettingSource.flags(List.of("grpc_port=2222", "auth.loopback=token"))));

    assertThat(written.values()).isEqualTo(Map.of("grpc_port", "2222", "toc.zone", "Asia/Tokyo"));
    assertThat(written).hasToString("WrittenSettings[grpc_port, toc.zone]");
  }

  @Test
  void load_severalMistakes_tellsAllAtOnce() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            load(
                List.of("toc.zon=UTC", "grpc_port=70000", "novalue", "grpc_host=0.0.0.0"),
                Map.of("MEMORY_DURABILITY", "sometimes", "MEMORY_INGEST_MAX_CLOCK_SKEW", "5")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD))
        .satisfies(e ->
            assertThat(String.valueOf(e.getMessage()).lines())
                .containsExactlyInAnyOrder(
                    "--set novalue: expected KEY=VALUE",
                    "--set toc.zon: unknown setting; did you mean toc.zone?",
                    "--set grpc_port: 70000: is outside 0 to 65535",
                    "--set grpc_host: any address but 127.0.0.1, ::1 and localhost needs TLS; set"
                        + " grpc.tls_certificate and grpc.tls_key",
                    "MEMORY_DURABILITY: sometimes: expected fsync or async",
                    "MEMORY_INGEST_MAX_CLOCK_SKEW: 5: expected a duration such as 500ms, 30m"
                        + " or 1h30m"));
  }

  @Test
  void load_addressOfANetwork_needsTlsAndTheToken() {
    List<String> tls =
        List.of("grpc_host=0.0.0.0", "grpc.tls_certificate=c.pem", "grpc.tls_key=k.pem");
    assertThat(load(tls, Map.of()).address().host()).isEqualTo("0.0.0.0");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> load(tls, Map.of("MEMORY_AUTH_LOOPBACK", "open")))
        .withMessageContaining("MEMORY_AUTH_LOOPBACK: open lets everybody in");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> load(List.of("grpc.tls_key=k.pem"), Map.of()))
        .withMessageContaining(
            "--set grpc.tls_key: grpc.tls_certificate and grpc.tls_key need each other");
  }

  @Test
  void load_database_hasItsPasswordFromTheEnvironment() {
    List<String> settings =
        List.of(
            "storage.engine=postgres",
            "postgres.url=postgresql://db1,db2:6432/memory",
            "postgres.user=memory",
            "toc.zone=Asia/Tokyo");
    PostgresConfig database =
        load(settings, Map.of("MEMORY_PG_PASSWORD", "told")).engine().database().orElseThrow();

    assertThat(database.address().jdbcUrl()).isEqualTo("jdbc:postgresql://db1,db2:6432/memory");
    assertThat(database.password()).isEqualTo("told");
    assertThat(database.sslMode()).isEqualTo("verify-full");
    assertThat(database.requireStandby()).isTrue();
    assertThat(database).asString().doesNotContain("told");

    PostgresConfig near =
        load(
                List.of(
                    "storage.engine=postgres",
                    "postgres.url=jdbc:postgresql://localhost:6432/memory",
                    "postgres.user=memory"),
                Map.of())
            .engine()
            .database()
            .orElseThrow();
    assertThat(near.sslMode()).isEqualTo("disable");
    assertThat(near.requireStandby()).isFalse();
  }

  @Test
  void load_databaseThatLacksSomething_orCannotDoWhatIsSet_isRefused() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            load(
                List.of("storage.engine=postgres", "multi_agent_mode=unified", "durability=async"),
                Map.of()))
        .satisfies(e ->
            assertThat(String.valueOf(e.getMessage()).lines())
                .hasSize(3)
                .anyMatch(line ->
                    line.equals(
                        "--set storage.engine: postgres needs postgres.url and postgres.user"))
                .anyMatch(line -> line.contains("set multi_agent_mode to separate"))
                .anyMatch(line -> line.contains("set durability to fsync")));
  }

  @Test
  void load_addressWithAPassword_isRefusedWithoutShowingIt() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(
            () -> load(List.of("postgres.url=postgresql://me:zanzibar@db/memory"), Map.of()))
        .withMessageContaining("--set postgres.url: expected postgresql://HOST")
        .withMessageContaining("without a user, a password or parameters")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("zanzibar"));
  }

  @Test
  void load_wrongCronExpressions_areToldWithTheOthers() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            load(
                List.of("jobs.compaction=61 * * * *", "jobs.timeout=0s"),
                Map.of("MEMORY_JOBS_INTEGRITY_CHECK", "weekly")))
        .satisfies(e ->
            assertThat(String.valueOf(e.getMessage()).lines())
                .hasSize(3)
                .anyMatch(line ->
                    line.startsWith("--set jobs.compaction: 61 * * * *: expected minute, hour"))
                .anyMatch(line ->
                    line.startsWith("MEMORY_JOBS_INTEGRITY_CHECK: weekly: expected minute, hour"))
                .anyMatch(line -> line.startsWith("--set jobs.timeout: 0s: is outside")));
  }

  @Test
  void load_misspeltVariable_isRefusedWithTheNearest() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> load(List.of(), Map.of("MEMORY_TOC_ZONES", "UTC")))
        .withMessage("MEMORY_TOC_ZONES: unknown setting; did you mean MEMORY_TOC_ZONE?");
  }

  @Test
  void load_variablesOfOthers_areLeftAlone() {
    Map<String, String> others =
        Map.of("MEMORY_PRESSURE_WATCH", "/x", "MEMORY_LIMIT", "1", "MEMORY_DATA", "/y");

    assertThat(load(List.of(), others)).isEqualTo(ConfigLoader.load(DATA, List.of()));
  }

  private static DaemonConfig load(List<String> flags, Map<String, String> environment) {
    return ConfigLoader.load(
        DATA,
        List.of(SettingSource.environment(environment), SettingSource.flags(flags)),
        environment);
  }
}
