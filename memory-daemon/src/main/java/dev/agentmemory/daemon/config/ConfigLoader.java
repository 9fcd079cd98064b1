package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.config.Secrets;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.hook.AgentsConfig;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.postgres.config.PostgresAddress;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.connection.TlsFiles;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Makes a [DaemonConfig] from sources, telling all mistakes at once.
public final class ConfigLoader implements SettingReader {

  /// Settings in whose place a secret may be put by mistake.
  private static final List<Setting<?>> NOT_SHOWN =
      List.of(
          SummarizerConfig.API_KEY_ENV,
          EmbeddingConfig.API_KEY_ENV,
          PostgresConfig.URL,
          PostgresConfig.PASSWORD_ENV);

  /// Stands for the address that is missing.
  private static final PostgresAddress NOWHERE = new PostgresAddress(List.of("localhost"), "none");

  private static final int FARTHEST_GUESS = 6;

  private final Map<String, SettingSource.Named> values = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  /// Empty if no provider is used.
  private final Optional<Map<String, String>> environment;

  private ConfigLoader(List<SettingSource> sources, Optional<Map<String, String>> environment) {
    this.environment = environment;
    sources.forEach(this::add);
  }

  /// What a daemon is told that is going to run: a provider that needs a key has one.
  ///
  /// @param sources in rising precedence: a later one overrules an earlier one
  /// @param environment where the provider's key is
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static DaemonConfig load(
      Path data, List<SettingSource> sources, Map<String, String> environment) {
    return new ConfigLoader(sources, Optional.of(environment)).build(data);
  }

  /// The same for what asks no provider; the key is left out.
  ///
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static DaemonConfig load(Path data, List<SettingSource> sources) {
    return new ConfigLoader(sources, Optional.empty()).build(data);
  }

  /// What holds for each setting and where it was said, in the order of docs/configuration.md.
  ///
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static List<SettingValue> explain(Path data, List<SettingSource> sources) {
    var loader = new ConfigLoader(sources, Optional.empty());
    var _ = loader.build(data);
    return Settings.ALL.stream().map(loader::explained).toList();
  }

  /// What of the sources differs from the defaults.
  ///
  /// @param sources of which [#load] has made a configuration
  public static WrittenSettings written(List<SettingSource> sources) {
    var loader = new ConfigLoader(sources, Optional.empty());
    Map<String, String> written = new HashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      SettingSource.Named named = loader.values.get(setting.key());
      if (named != null && !named.text().strip().equals(setting.defaultText())) {
        written.put(setting.key(), named.text().strip());
      }
    }
    return new WrittenSettings(written);
  }

  private SettingValue explained(Setting<?> setting) {
    SettingSource.Named named = values.get(setting.key());
    return named == null
        ? new SettingValue(setting.key(), setting.defaultText(), SettingValue.DEFAULT)
        : new SettingValue(setting.key(), Secrets.hidden(named.text().strip()), named.origin());
  }

  private void add(SettingSource source) {
    problems.addAll(source.problems());
    source.values().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> {
          if (Settings.named(entry.getKey()).isPresent()) {
            overrule(entry.getKey(), entry.getValue());
          } else {
            problems.add(unknown(entry.getKey(), entry.getValue().subject()));
          }
        });
  }

  /// A value that does not count is checked all the same: it would count as soon as the other one
  /// is taken away.
  private void overrule(String key, SettingSource.Named named) {
    SettingSource.Named before = values.put(key, named);
    if (before != null) {
      Settings.named(key).ifPresent(setting -> tried(setting, before));
    }
  }

  private static String unknown(String key, String subject) {
    if (Secrets.namesOne(key)) {
      return subject
          + ": secrets cannot be configured; put the value into an environment variable and set"
          + " summarizer.api_key_env or search.embedding_api_key_env to its name";
    }
    String hint =
        meant(key)
            .map(near -> "did you mean " + near + "?")
            .orElse("the keys are listed in docs/configuration.md");
    return subject + ": unknown setting; " + hint;
  }

  /// Half a key is enough, such as `port`; otherwise the nearest one, unless nothing is near.
  private static Optional<String> meant(String key) {
    List<String> known = Settings.ALL.stream().map(Setting::key).toList();
    return known.stream()
        .filter(name -> name.endsWith("." + key) || name.endsWith("_" + key))
        .findFirst()
        .or(() -> Nearest.within(key, known, Math.min(FARTHEST_GUESS, 1 + key.length() / 3)));
  }

  private DaemonConfig build(Path data) {
    // A value that cannot be read is replaced by its default, so that reading goes on and finds the
    // other mistakes; nothing is returned then.
    var engine =
        new EngineConfig(
            data,
            stores(data),
            SegmentationConfig.from(this),
            read(EngineConfig.ROLLUP_DEBOUNCE),
            IngestLimits.from(this),
            StorageConfig.from(this),
            database(),
            WorkspacesConfig.from(this),
            summarizer(),
            embedding(),
            JobsConfig.from(this),
            BackupConfig.from(this),
            RetentionConfig.from(this),
            RecallConfig.from(this));
    int port = read(RpcConfig.PORT);
    boolean bearer = !read(DaemonConfig.NO_BEARER_OVER_TCP);
    var config =
        new DaemonConfig(
            engine,
            address(data, bearer),
            port,
            httpPort(port),
            ConnectionLimits.from(this),
            read(DaemonConfig.CEILING),
            read(DaemonConfig.LOOPBACK_OPEN),
            bearer,
            AgentsConfig.from(this),
            LogConfig.from(this));
    if (!problems.isEmpty()) {
      throw new MemoryException(ErrorCode.INVALID_FIELD, String.join("\n", problems));
    }
    return config;
  }

  private ListenAddress address(Path data, boolean bearer) {
    String host = read(ListenAddress.HOST);
    Optional<Path> certificate = read(ListenAddress.TLS_CERTIFICATE);
    Optional<Path> key = read(ListenAddress.TLS_KEY);
    boolean open = !ListenAddress.isLoopback(host);
    int before = problems.size();
    if (certificate.isPresent() != key.isPresent()) {
      blame(ListenAddress.TLS, "grpc.tls_certificate and grpc.tls_key need each other");
    } else if (open && certificate.isEmpty()) {
      blame(
          List.of(ListenAddress.HOST),
          "any address but 127.0.0.1, ::1 and localhost needs TLS; set grpc.tls_certificate and"
              + " grpc.tls_key");
    }
    if (open && read(DaemonConfig.LOOPBACK_OPEN)) {
      blame(
          List.of(DaemonConfig.LOOPBACK_OPEN),
          "open lets everybody in; it is possible with a loopback address as grpc_host only");
    }
    return problems.size() > before
        ? ListenAddress.LOOPBACK
        : new ListenAddress(
            host,
            certificate.map(
                file -> new TlsFiles(data.resolve(file), data.resolve(key.orElseThrow()))),
            bearer);
  }

  /// A daemon whose gRPC port is free to choose is one of several, so the port of HTTP is, too.
  ///
  /// @param port of gRPC
  private int httpPort(int port) {
    return find(GatewayConfig.PORT)
        .orElseGet(() -> port == 0 ? 0 : SettingReader.DEFAULTS.read(GatewayConfig.PORT));
  }

  private Path stores(Path data) {
    Path told = read(EngineConfig.DB_PATH);
    Path root = data.toAbsolutePath().normalize();
    if (!root.startsWith(root.resolve(told).normalize())) {
      return told;
    }
    SettingSource.Named named = Objects.requireNonNull(values.get(EngineConfig.DB_PATH.key()));
    problems.add(
        named.subject()
            + ": "
            + named.text()
            + ": expected a separate directory, such as db; this one contains the data directory");
    return SettingReader.DEFAULTS.read(EngineConfig.DB_PATH);
  }

  /// The database that holds the stores; empty if none does.
  private Optional<PostgresConfig> database() {
    Optional<PostgresAddress> address = read(PostgresConfig.URL);
    Optional<String> user = read(PostgresConfig.USER);
    String variable = read(PostgresConfig.PASSWORD_ENV);
    String password = environment.map(all -> all.getOrDefault(variable, "")).orElse("");
    // Read in any case, so that mistakes are told before the engine is changed.
    var config = PostgresConfig.from(this, address.orElse(NOWHERE), user.orElse(""), password);
    if (read(EngineConfig.STORAGE_ENGINE) == EngineConfig.StorageEngine.ROCKSDB) {
      return Optional.empty();
    }
    List<Setting<?>> engine = List.of(EngineConfig.STORAGE_ENGINE);
    if (!values.containsKey(PostgresConfig.URL.key())
        || !values.containsKey(PostgresConfig.USER.key())) {
      blame(engine, "postgres needs postgres.url and postgres.user");
    }
    if (read(WorkspacesConfig.MODE) == WorkspacesConfig.Mode.UNIFIED) {
      blame(
          engine,
          "postgres has a store for each workspace; set multi_agent_mode to separate, or the engine"
              + " to rocksdb");
    }
    if (read(StorageConfig.DURABILITY) == StorageConfig.Durability.ASYNC) {
      blame(
          engine,
          "postgres acknowledges what the database has on disk; set durability to fsync, or the"
              + " engine to rocksdb");
    }
    if (BackupConfig.from(this).directory().isPresent()) {
      blame(
          engine,
          "postgres is backed up by the database's own means; leave backup.directory out, or set the"
              + " engine to rocksdb");
    }
    return Optional.of(config);
  }

  private SummarizerConfig summarizer() {
    int before = problems.size();
    var config = SummarizerConfig.from(this);
    // What follows from a mistake that is told already is no mistake of its own.
    return problems.size() > before ? config : checked(config);
  }

  private SummarizerConfig checked(SummarizerConfig config) {
    if (config.asksAModel() && !config.limits().leavesSpace()) {
      blame(
          List.of(SummarizerConfig.MAX_OUTPUT_TOKENS, SummarizerConfig.CONTEXT_TOKENS),
          "%d tokens of an answer leave too little space in %d of summarizer.context_tokens: expected"
                  .formatted(config.limits().maxOutputTokens(), config.limits().contextTokens())
              + " half of these at most");
    }
    return config.withKey(
        key(
            config.keyVariable(),
            config.provider().word(),
            SummarizerConfig.API_KEY_ENV,
            SummarizerConfig.PROVIDER));
  }

  /// @param variable environment variable that holds the key; empty if none is needed
  /// @param variableSetting names the variable
  /// @param providerSetting its default needs no key
  private Optional<String> key(
      Optional<String> variable,
      String provider,
      Setting<?> variableSetting,
      Setting<?> providerSetting) {
    try {
      String otherwise = providerSetting.key() + " to " + providerSetting.defaultText();
      return variable
          .map(name -> new ProviderKey.Wanted(provider, name, variableSetting.key(), otherwise))
          .flatMap(wanted -> environment.map(all -> ProviderKey.read(wanted, all)));
    } catch (IllegalArgumentException e) {
      blame(List.of(variableSetting, providerSetting), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private EmbeddingConfig embedding() {
    int before = problems.size();
    var config = EmbeddingConfig.from(this);
    return problems.size() > before ? config : checked(config);
  }

  private EmbeddingConfig checked(EmbeddingConfig config) {
    if (!config.asksAServer()) {
      for (Setting<?> setting :
          List.of(EmbeddingConfig.MODEL, EmbeddingConfig.API_BASE_URL, EmbeddingConfig.DIMENSION)) {
        SettingSource.Named named = values.get(setting.key());
        if (named != null && !named.text().strip().equals(Setting.NONE)) {
          problems.add(
              named.subject()
                  + ": has no effect with search.embeddings %s; omit it, or set"
                      .formatted(config.provider().word())
                  + " search.embeddings to openai or ollama");
        }
      }
    }
    return config.withKey(
        key(
            config.keyVariable(),
            config.provider().word(),
            EmbeddingConfig.API_KEY_ENV,
            EmbeddingConfig.PROVIDER));
  }

  /// Reports the problem for the first of several settings that is set; at least one is.
  private void blame(List<Setting<?>> settings, String problem) {
    String subject =
        settings.stream()
            .flatMap(setting -> Optional.ofNullable(values.get(setting.key())).stream())
            .findFirst()
            .map(SettingSource.Named::subject)
            .orElseThrow();
    problems.add(subject + ": " + problem);
  }

  @Override
  public <T> Optional<T> find(Setting<T> setting) {
    return Optional.ofNullable(values.get(setting.key())).flatMap(named -> tried(setting, named));
  }

  private <T> Optional<T> tried(Setting<T> setting, SettingSource.Named named) {
    try {
      return Optional.of(setting.parse(named.text()));
    } catch (IllegalArgumentException e) {
      // A key that was put where its variable's name belongs must not be shown.
      String shown = NOT_SHOWN.contains(setting) ? "" : Secrets.hidden(named.text()) + ": ";
      problems.add(named.subject() + ": " + shown + e.getMessage());
      return Optional.empty();
    }
  }
}
