package dev.agentmemory.daemon.config;

import dev.agentmemory.pipeline.IngestLimits;
import dev.agentmemory.pipeline.JobsConfig;
import dev.agentmemory.storage.StorageConfig;
import dev.agentmemory.toc.SegmentationConfig;
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

  private static final int FARTHEST_GUESS = 6;

  private final Map<String, Source.Named> values = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private ConfigLoader() {}

  /// @param sources in rising precedence: a later one overrules an earlier one
  /// @throws MemoryException `INVALID_FIELD` with one line for each mistake
  public static DaemonConfig load(Path data, List<Source> sources) {
    var loader = new ConfigLoader();
    sources.forEach(loader::add);
    return loader.build(data);
  }

  /// What holds for each setting and where it was said, in the order of docs/configuration.md.
  ///
  /// @throws MemoryException as [#load] does
  public static List<SettingValue> explain(Path data, List<Source> sources) {
    var loader = new ConfigLoader();
    sources.forEach(loader::add);
    var _ = loader.build(data);
    return Settings.ALL.stream().map(loader::explained).toList();
  }

  private SettingValue explained(Setting<?> setting) {
    Source.Named named = values.get(setting.key());
    return named == null
        ? new SettingValue(setting.key(), setting.defaultText(), SettingValue.DEFAULT)
        : new SettingValue(setting.key(), Secrets.hidden(named.text().strip()), named.origin());
  }

  private void add(Source source) {
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
  private void overrule(String key, Source.Named named) {
    Source.Named before = values.put(key, named);
    if (before != null) {
      Settings.named(key).ifPresent(setting -> tried(setting, before));
    }
  }

  private static String unknown(String key, String subject) {
    if (Secrets.namesOne(key)) {
      return subject
          + ": secrets are not configured; put it into an environment variable and name that with"
          + " summarizer.api_key_env";
    }
    String hint =
        meant(key)
            .map(near -> "did you mean " + near + "?")
            .orElse("the keys are listed in docs/configuration.md");
    return subject + ": no such setting; " + hint;
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
    var config =
        new DaemonConfig(
            data,
            stores(data),
            read(Settings.GRPC_HOST),
            read(Settings.GRPC_PORT),
            !read(Settings.AUTH_LOOPBACK),
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
            new SummarizerConfig(
                read(Settings.SUMMARIZER_PROVIDER),
                read(Settings.SUMMARIZER_MODEL),
                read(Settings.SUMMARIZER_API_KEY_ENV),
                read(Settings.SUMMARIZER_API_BASE_URL)),
            new LogConfig(
                read(Settings.LOG_LEVEL),
                !read(Settings.LOG_TO),
                read(Settings.LOG_FILE_SIZE),
                read(Settings.LOG_FILES)),
            jobs());
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
    Source.Named named = Objects.requireNonNull(values.get(Settings.DB_PATH.key()));
    problems.add(
        named.subject()
            + ": "
            + named.text()
            + ": expected a folder of its own, such as db; this one holds the data directory");
    return Settings.DB_PATH.parse(Settings.DB_PATH.defaultText());
  }

  private JobsConfig jobs() {
    return new JobsConfig(
        read(Settings.JOBS_COMPACTION),
        read(Settings.JOBS_OUTBOX_TRIM),
        read(Settings.JOBS_INTEGRITY_CHECK),
        read(Settings.JOBS_ZONE),
        read(Settings.JOBS_JITTER),
        read(Settings.JOBS_TIMEOUT));
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

  private <T> Optional<T> tried(Setting<T> setting, Source.Named named) {
    try {
      return Optional.of(setting.parse(named.text()));
    } catch (IllegalArgumentException e) {
      // A key that was put where its variable's name belongs must not be shown.
      String shown =
          setting.key().equals(Settings.SUMMARIZER_API_KEY_ENV.key())
              ? ""
              : Secrets.hidden(named.text()) + ": ";
      problems.add(named.subject() + ": " + shown + e.getMessage());
      return Optional.empty();
    }
  }
}
