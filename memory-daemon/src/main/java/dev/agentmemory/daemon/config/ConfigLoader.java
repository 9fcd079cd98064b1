package dev.agentmemory.daemon.config;

import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.Secrets;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.storage.config.StorageConfig;
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
public final class ConfigLoader {

  private static final List<Setting<?>> NAMES_OF_VARIABLES =
      List.of(Settings.SUMMARIZER_API_KEY_ENV, Settings.EMBEDDING_API_KEY_ENV);

  private static final int FARTHEST_GUESS = 6;

  private final Map<String, SettingSource.Named> values = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  /// Empty when nobody is going to ask a provider.
  private final Optional<Map<String, String>> environment;

  private ConfigLoader(Optional<Map<String, String>> environment) {
    this.environment = environment;
  }

  /// What a daemon is told that is going to run: a provider that needs a key has one.
  ///
  /// @param sources in rising precedence: a later one overrules an earlier one
  /// @param environment where the provider's key is
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static DaemonConfig load(
      Path data, List<SettingSource> sources, Map<String, String> environment) {
    var loader = new ConfigLoader(Optional.of(environment));
    sources.forEach(loader::add);
    return loader.build(data);
  }

  /// The same for what asks no provider; the key is left out.
  ///
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static DaemonConfig load(Path data, List<SettingSource> sources) {
    var loader = new ConfigLoader(Optional.empty());
    sources.forEach(loader::add);
    return loader.build(data);
  }

  /// What holds for each setting and where it was said, in the order of docs/configuration.md.
  ///
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static List<SettingValue> explain(Path data, List<SettingSource> sources) {
    var loader = new ConfigLoader(Optional.empty());
    sources.forEach(loader::add);
    var _ = loader.build(data);
    return Settings.ALL.stream().map(loader::explained).toList();
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
            new SegmentationConfig(
                read(Settings.SEGMENT_TIME),
                read(Settings.SEGMENT_TOKENS),
                read(Settings.OVERLAP_TIME),
                read(Settings.OVERLAP_TOKENS),
                read(Settings.TOOL_RESULT_CHARS)),
            read(Settings.TOC_ROLLUP_DEBOUNCE),
            IngestLimits.DEFAULT
                .withMaxClockSkew(read(Settings.CLOCK_SKEW))
                .withMaskSecrets(read(Settings.MASK_SECRETS)),
            storage(),
            new WorkspacesConfig(
                read(Settings.MULTI_AGENT_MODE),
                read(Settings.AGENT_ID),
                read(Settings.WORKSPACES_MAX_OPEN),
                read(Settings.WORKSPACES_IDLE_CLOSE)),
            summarizer(),
            embedding(),
            jobs(),
            backup());
    var config =
        new DaemonConfig(
            engine,
            read(Settings.GRPC_HOST),
            read(Settings.GRPC_PORT),
            !read(Settings.AUTH_LOOPBACK),
            new LogConfig(
                read(Settings.LOG_LEVEL),
                !read(Settings.LOG_TO),
                read(Settings.LOG_FILE_SIZE),
                read(Settings.LOG_FILES)));
    if (!problems.isEmpty()) {
      throw new MemoryException(ErrorCode.INVALID_FIELD, String.join("\n", problems));
    }
    return config;
  }

  private Path stores(Path data) {
    Path told = read(Settings.DB_PATH);
    Path root = data.toAbsolutePath().normalize();
    if (!root.startsWith(root.resolve(told).normalize())) {
      return told;
    }
    SettingSource.Named named = Objects.requireNonNull(values.get(Settings.DB_PATH.key()));
    problems.add(
        named.subject()
            + ": "
            + named.text()
            + ": expected a separate directory, such as db; this one contains the data directory");
    return Settings.DB_PATH.parse(Settings.DB_PATH.defaultText());
  }

  private SummarizerConfig summarizer() {
    int before = problems.size();
    var config =
        new SummarizerConfig(
            read(Settings.SUMMARIZER_PROVIDER),
            read(Settings.SUMMARIZER_MODEL),
            read(Settings.SUMMARIZER_API_KEY_ENV),
            read(Settings.SUMMARIZER_API_BASE_URL),
            Optional.empty(),
            read(Settings.SUMMARIZER_SEED),
            new SummarizerConfig.Limits(
                read(Settings.SUMMARIZER_TIMEOUT),
                read(Settings.SUMMARIZER_MAX_OUTPUT_TOKENS),
                read(Settings.SUMMARIZER_CONTEXT_TOKENS),
                read(Settings.SUMMARIZER_DAILY_TOKEN_BUDGET)));
    // What follows from a mistake that is told already is no mistake of its own.
    return problems.size() > before ? config : checked(config);
  }

  private SummarizerConfig checked(SummarizerConfig config) {
    if (config.asksAModel() && !config.limits().leavesRoom()) {
      blame(
          List.of(Settings.SUMMARIZER_MAX_OUTPUT_TOKENS, Settings.SUMMARIZER_CONTEXT_TOKENS),
          "%d tokens of an answer leave too little room in %d of summarizer.context_tokens: expected"
                  .formatted(config.limits().maxOutputTokens(), config.limits().contextTokens())
              + " half of these at most");
    }
    return config.withKey(
        key(
            config
                .keyVariable()
                .map(variable ->
                    new ProviderKey.Wanted(
                        config.provider().word(),
                        variable,
                        Settings.SUMMARIZER_API_KEY_ENV.key(),
                        Settings.SUMMARIZER_PROVIDER.key() + " to extractive")),
            List.of(Settings.SUMMARIZER_API_KEY_ENV, Settings.SUMMARIZER_PROVIDER)));
  }

  /// @param settings that are to blame when it is not there
  private Optional<String> key(Optional<ProviderKey.Wanted> wanted, List<Setting<?>> settings) {
    try {
      return wanted.flatMap(one -> environment.map(all -> ProviderKey.read(one, all)));
    } catch (IllegalArgumentException e) {
      blame(settings, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private EmbeddingConfig embedding() {
    int before = problems.size();
    var config =
        new EmbeddingConfig(
            read(Settings.EMBEDDINGS),
            read(Settings.EMBEDDING_MODEL),
            read(Settings.EMBEDDING_API_KEY_ENV),
            read(Settings.EMBEDDING_API_BASE_URL),
            Optional.empty(),
            read(Settings.EMBEDDING_DIMENSION),
            read(Settings.EMBEDDING_TIMEOUT),
            read(Settings.EMBEDDING_THREADS).orElseGet(EmbeddingConfig::halfOfTheCores));
    return problems.size() > before ? config : checked(config);
  }

  private EmbeddingConfig checked(EmbeddingConfig config) {
    if (!config.asksAServer()) {
      for (Setting<?> setting :
          List.of(
              Settings.EMBEDDING_MODEL,
              Settings.EMBEDDING_API_BASE_URL,
              Settings.EMBEDDING_DIMENSION)) {
        SettingSource.Named named = values.get(setting.key());
        if (named != null && !named.text().strip().equals(Readers.NONE)) {
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
            config
                .keyVariable()
                .map(variable ->
                    new ProviderKey.Wanted(
                        config.provider().word(),
                        variable,
                        Settings.EMBEDDING_API_KEY_ENV.key(),
                        Settings.EMBEDDINGS.key() + " to local")),
            List.of(Settings.EMBEDDING_API_KEY_ENV, Settings.EMBEDDINGS)));
  }

  /// Puts the blame on the first of several settings that somebody has set; at least one is.
  private void blame(List<Setting<?>> settings, String problem) {
    String subject =
        settings.stream()
            .flatMap(setting -> Optional.ofNullable(values.get(setting.key())).stream())
            .findFirst()
            .map(SettingSource.Named::subject)
            .orElseThrow();
    problems.add(subject + ": " + problem);
  }

  private JobsConfig jobs() {
    return new JobsConfig(
        read(Settings.JOBS_COMPACTION),
        read(Settings.JOBS_OUTBOX_TRIM),
        read(Settings.JOBS_INTEGRITY_CHECK),
        read(Settings.JOBS_LLM_SUMMARIES),
        read(Settings.JOBS_EMBEDDING_BACKFILL),
        read(Settings.JOBS_SCRUB_PERIOD),
        read(Settings.JOBS_ZONE),
        read(Settings.JOBS_JITTER),
        read(Settings.JOBS_TIMEOUT));
  }

  private BackupConfig backup() {
    return new BackupConfig(
        read(Settings.BACKUP_DIRECTORY),
        read(Settings.JOBS_BACKUP),
        read(Settings.BACKUP_KEEP),
        read(Settings.BACKUP_INDEX),
        read(Settings.BACKUP_RATE),
        read(Settings.BACKUP_BEFORE_UPGRADE));
  }

  private StorageConfig storage() {
    StorageConfig told =
        StorageConfig.DEFAULT
            .withMemory(read(Settings.BLOCK_CACHE), read(Settings.WRITE_BUFFER))
            .withMinFree(read(Settings.MIN_FREE))
            .withQueue(read(Settings.QUEUE_COMMITS), read(Settings.QUEUE_BYTES))
            .withDurability(
                read(Settings.DURABILITY)
                    ? StorageConfig.Durability.FSYNC
                    : StorageConfig.Durability.ASYNC);
    // Unset is not the same as set to the default: an existing store keeps the zone it was made
    // with.
    return values.containsKey(Settings.TOC_ZONE.key())
        ? told.withZone(read(Settings.TOC_ZONE))
        : told;
  }

  private <T> T read(Setting<T> setting) {
    return Optional.ofNullable(values.get(setting.key()))
        .flatMap(named -> tried(setting, named))
        .orElseGet(() -> setting.parse(setting.defaultText()));
  }

  private <T> Optional<T> tried(Setting<T> setting, SettingSource.Named named) {
    try {
      return Optional.of(setting.parse(named.text()));
    } catch (IllegalArgumentException e) {
      // A key that was put where its variable's name belongs must not be shown.
      String shown =
          NAMES_OF_VARIABLES.contains(setting) ? "" : Secrets.hidden(named.text()) + ": ";
      problems.add(named.subject() + ": " + shown + e.getMessage());
      return Optional.empty();
    }
  }
}
