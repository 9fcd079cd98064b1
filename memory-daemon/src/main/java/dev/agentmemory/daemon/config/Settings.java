package dev.agentmemory.daemon.config;

import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The one table of everything that can be set. A range is never wider than that of the record the
/// value goes into. `docs/configuration.md` is checked against it.
final class Settings {

  static final Setting<Path> DB_PATH =
      new Setting<>(
          "db_path",
          "db",
          "a directory, relative to the data directory; `~/` is the home directory",
          "Directory of the stores.",
          Readers::path);

  static final Setting<String> GRPC_HOST =
      new Setting<>(
          "grpc_host",
          "127.0.0.1",
          "a loopback address",
          "Address on which the daemon listens. Other addresses need TLS, which this version does"
              + " not support.",
          Readers::loopback);

  static final Setting<Integer> GRPC_PORT =
      Readers.whole(
          "grpc_port",
          "50051",
          0,
          65_535,
          "Port on which the daemon listens; 0 selects a free port.");

  static final Setting<Boolean> AUTH_LOOPBACK =
      Readers.either(
          "auth.loopback",
          "token",
          "open",
          "Whether local callers must send the token; `open` is for old clients that cannot send"
              + " it.");

  static final Setting<WorkspacesConfig.Mode> MULTI_AGENT_MODE =
      Readers.oneOf(
          "multi_agent_mode",
          WorkspacesConfig.DEFAULT.mode(),
          WorkspacesConfig.Mode.class,
          "Whether each workspace has its own store (`separate`), or all agents share one store in"
              + " which each event names its agent (`unified`).");

  static final Setting<String> AGENT_ID =
      new Setting<>(
          "agent_id",
          WorkspacesConfig.DEFAULT.agentId(),
          "1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit",
          "Workspace or agent of callers that do not name one.",
          Readers::name);

  static final Setting<Integer> WORKSPACES_MAX_OPEN =
      Readers.whole(
          "workspaces.max_open", "16", 1, 1000, "Maximum number of stores that are open at once.");

  static final Setting<Duration> WORKSPACES_IDLE_CLOSE =
      Readers.duration(
          "workspaces.idle_close", "10m", "1s", "7d", "Idle time after which a store is closed.");

  static final Setting<Boolean> DURABILITY =
      Readers.either(
          "durability",
          "fsync",
          "async",
          "Whether an event is synced to disk before it is acknowledged; `async` can lose the last"
              + " seconds after a power failure.");

  static final Setting<ZoneId> TOC_ZONE =
      new Setting<>(
          "toc.zone",
          "UTC",
          "a zone id such as `Europe/Paris`",
          "Time zone that defines when days begin. Fixed when the store is created.",
          Readers::zone);

  static final Setting<Duration> TOC_ROLLUP_DEBOUNCE =
      Readers.duration(
          "toc.rollup_debounce",
          "500ms",
          "0s",
          "10m",
          "How long days, weeks, months and years wait for further changes before they are"
              + " summarised.");

  static final Setting<Duration> SEGMENT_TIME =
      Readers.duration(
          "segmentation.time_threshold",
          "30m",
          "1s",
          "7d",
          "Gap between two events that ends a segment.");

  static final Setting<Integer> SEGMENT_TOKENS =
      Readers.whole(
          "segmentation.token_threshold",
          "4096",
          64,
          100_000,
          "Maximum number of tokens in a segment.");

  static final Setting<Duration> OVERLAP_TIME =
      Readers.duration(
          "segmentation.overlap_time",
          "5m",
          "0s",
          "1h",
          "Maximum age of the events of the previous segment that a summariser receives as"
              + " context.");

  static final Setting<Integer> OVERLAP_TOKENS =
      Readers.whole(
          "segmentation.overlap_tokens",
          "500",
          0,
          10_000,
          "Maximum number of tokens of the previous segment that a summariser receives as"
              + " context.");

  static final Setting<Integer> TOOL_RESULT_CHARS =
      Readers.whole(
          "segmentation.max_tool_result_chars",
          "2000",
          100,
          100_000,
          "Number of characters of a tool result that are counted and summarised; the whole result"
              + " is stored.");

  static final Setting<Duration> CLOCK_SKEW =
      Readers.duration(
          "ingest.max_clock_skew",
          "5m",
          "0s",
          "1d",
          "How far an event's timestamp may be ahead of the daemon's clock.");

  static final Setting<Boolean> MASK_SECRETS =
      Readers.onOff(
          "ingest.mask_secrets",
          "true",
          "Whether keys, tokens and passwords in events are masked before they are stored.");

  static final Setting<Long> BLOCK_CACHE =
      Readers.size(
          "storage.block_cache",
          "64MiB",
          "1MiB",
          "64GiB",
          "Size of the RocksDB block cache, which holds data that was read.");

  static final Setting<Long> WRITE_BUFFER =
      Readers.size(
          "storage.write_buffer",
          "64MiB",
          "1MiB",
          "16GiB",
          "Size of the RocksDB write buffers, which hold data that is not yet in a table file.");

  static final Setting<Long> MIN_FREE =
      Readers.size(
          "storage.min_free",
          "64MiB",
          "0",
          "64GiB",
          "Free disk space below which events are refused; 0 accepts events until the disk is"
              + " full.");

  static final Setting<SummarizerConfig.Provider> SUMMARIZER_PROVIDER =
      Readers.provider(
          "summarizer.provider",
          "Provider that writes titles, summaries and bullets. `extractive` needs no key and no"
              + " network. With a model, `extractive` writes first and the model replaces its text"
              + " later. `openai` also covers OpenAI-compatible servers; `local` is an alias of"
              + " `ollama`.");

  static final Setting<Optional<String>> SUMMARIZER_MODEL =
      Readers.optional(
          "summarizer.model",
          "a model's name, or none",
          "Model of the provider; `none` selects gpt-4o-mini (openai), claude-haiku-5-5"
              + " (anthropic), llama3.2 (ollama).",
          Readers::model);

  static final Setting<Optional<String>> SUMMARIZER_API_KEY_ENV =
      Readers.optional(
          "summarizer.api_key_env",
          "a variable's name, or none",
          "Environment variable that holds the provider's key; the key itself is never configured."
              + " `none` selects OPENAI_API_KEY (openai at its default address), ANTHROPIC_API_KEY"
              + " (anthropic), no key (ollama, openai at another address).",
          Readers::variableName);

  static final Setting<Optional<URI>> SUMMARIZER_API_BASE_URL =
      Readers.optional(
          "summarizer.api_base_url",
          "an http or https address, or none",
          "Base URL of the provider's API; `none` selects the provider's default.",
          Readers::webAddress);

  static final Setting<Duration> SUMMARIZER_TIMEOUT =
      Readers.duration(
          "summarizer.timeout", "60s", "1s", "10m", "Timeout of one request to the provider.");

  static final Setting<Integer> SUMMARIZER_MAX_OUTPUT_TOKENS =
      Readers.whole(
          "summarizer.max_output_tokens",
          "1000",
          100,
          100_000,
          "Maximum number of tokens in a response; at most half of `summarizer.context_tokens`.");

  static final Setting<Integer> SUMMARIZER_CONTEXT_TOKENS =
      Readers.whole(
          "summarizer.context_tokens",
          "8192",
          1024,
          10_000_000,
          "Maximum number of tokens in a request and its response together; longer segments are"
              + " truncated.");

  static final Setting<Optional<Integer>> SUMMARIZER_SEED =
      Readers.wholeOrNone(
          "summarizer.seed",
          0,
          Integer.MAX_VALUE,
          "Random seed for providers that support one, which makes responses more reproducible.");

  static final Setting<Integer> SUMMARIZER_DAILY_TOKEN_BUDGET =
      Readers.whole(
          "summarizer.daily_token_budget",
          "200000",
          0,
          2_000_000_000,
          "Maximum number of input and output tokens per store and day (in the store's time zone);"
              + " further requests are made on the next day. 0 means no limit.");

  static final Setting<EmbeddingConfig.Provider> EMBEDDINGS =
      Readers.oneOf(
          "search.embeddings",
          EmbeddingConfig.Provider.LOCAL,
          EmbeddingConfig.Provider.class,
          "Embedding provider for semantic search. `local` is a model inside the daemon and needs"
              + " no key and no network. With `none`, search is lexical only. `openai` also covers"
              + " OpenAI-compatible servers.");

  static final Setting<Optional<String>> EMBEDDING_MODEL =
      Readers.optional(
          "search.embedding_model",
          "a model's name, or none",
          "Embedding model of the provider; `none` selects text-embedding-3-small (openai),"
              + " nomic-embed-text (ollama). After a change all events are embedded again in the"
              + " background.",
          Readers::model);

  static final Setting<Optional<String>> EMBEDDING_API_KEY_ENV =
      Readers.optional(
          "search.embedding_api_key_env",
          "a variable's name, or none",
          "Environment variable that holds the provider's key; the key itself is never configured."
              + " `none` selects OPENAI_API_KEY (openai at its default address), no key (ollama,"
              + " openai at another address).",
          Readers::variableName);

  static final Setting<Optional<URI>> EMBEDDING_API_BASE_URL =
      Readers.optional(
          "search.embedding_api_base_url",
          "an http or https address, or none",
          "Base URL of the embedding API; `none` selects the provider's default.",
          Readers::webAddress);

  static final Setting<Optional<Integer>> EMBEDDING_DIMENSION =
      Readers.wholeOrNone(
          "search.embedding_dimension",
          1,
          1024,
          "Dimension of the provider's embedding vectors; `none` selects 768 (openai), the model's"
              + " dimension (ollama).");

  static final Setting<Duration> EMBEDDING_TIMEOUT =
      Readers.duration(
          "search.embedding_timeout",
          "30s",
          "1s",
          "10m",
          "Timeout of one request to the embedding provider.");

  static final Setting<Optional<Integer>> EMBEDDING_THREADS =
      Readers.wholeOrNone(
          "search.embedding_threads",
          1,
          16,
          "Number of threads on which the local model embeds events; `none` selects half of the"
              + " cores, at least one.");

  static final Setting<LogLevel> LOG_LEVEL =
      Readers.oneOf("log_level", LogLevel.INFO, LogLevel.class, "Minimum severity of log entries.");

  static final Setting<Boolean> LOG_TO =
      Readers.either(
          "log_to",
          "output",
          "file",
          "Log destination: the output of a daemon in the foreground, or `logs/daemon.log`. A"
              + " daemon in the background always logs to the file.");

  static final Setting<Long> LOG_FILE_SIZE =
      Readers.size(
          "log_file_size", "10MiB", "64KiB", "1GiB", "Size at which the log file is rotated.");

  static final Setting<Integer> LOG_FILES =
      Readers.whole(
          "log_files", "5", 2, 20, "Number of log files to keep, including the current one.");

  static final Setting<Integer> QUEUE_COMMITS =
      Readers.whole(
          "storage.queue_commits",
          "8192",
          1,
          1_000_000,
          "Maximum number of pending writes; further writes are refused with a retry delay.");

  static final Setting<Long> QUEUE_BYTES =
      Readers.size(
          "storage.queue_bytes",
          "32MiB",
          "1MiB",
          "1GiB",
          "Maximum size of all pending writes together.");

  static final Setting<String> JOBS_COMPACTION =
      Readers.cron(
          "jobs.compaction",
          "0 4 * * *",
          "Schedule for compaction, which frees the disk space of deleted and replaced records.");

  static final Setting<String> JOBS_OUTBOX_TRIM =
      Readers.cron(
          "jobs.outbox_trim",
          "*/5 * * * *",
          "Schedule for deleting outbox entries that every consumer has processed.");

  static final Setting<String> JOBS_INTEGRITY_CHECK =
      Readers.cron(
          "jobs.integrity_check",
          "30 4 * * 0",
          "Schedule for checking all records of the store at low speed; `memory jobs` shows the"
              + " findings.");

  static final Setting<String> JOBS_LLM_SUMMARIES =
      Readers.cron(
          "jobs.llm_summaries",
          "*/5 * * * *",
          "Schedule for replacing extractive summaries of closed segments and periods by the"
              + " model's; not used if `summarizer.provider` is `extractive`.");

  static final Setting<String> JOBS_EMBEDDING_BACKFILL =
      Readers.cron(
          "jobs.embedding_backfill",
          "*/30 * * * *",
          "Schedule for embedding events that an earlier attempt skipped; it also runs one minute"
              + " after the start. Not used if `search.embeddings` is `none`.");

  static final Setting<Duration> JOBS_SCRUB_PERIOD =
      Readers.durationOrNever(
          "jobs.scrub_period",
          "7d",
          "1h",
          "365d",
          "Period in which every table and log file is read once to verify its checksums; with 0s"
              + " only `memory jobs run scrub` does so.");

  static final Setting<ZoneId> JOBS_ZONE =
      new Setting<>(
          "jobs.zone",
          "UTC",
          "a zone id such as `Europe/Paris`",
          "Time zone of the cron expressions.",
          Readers::zone);

  static final Setting<Duration> JOBS_JITTER =
      Readers.duration(
          "jobs.jitter",
          "1m",
          "0s",
          "1h",
          "Maximum random delay of a job after its scheduled time; never more than half of the time"
              + " until its next run.");

  static final Setting<Duration> JOBS_TIMEOUT =
      Readers.duration(
          "jobs.timeout",
          "1h",
          "1s",
          "7d",
          "Maximum duration of a job run; a longer run is interrupted and counts as failed."
              + " Rebuilds may take a day.");

  static final Setting<Optional<Path>> BACKUP_DIRECTORY =
      Readers.optional(
          "backup.directory",
          "an absolute path, or none",
          "Directory in which the job `backup` creates backups; `none` disables the job. Use a"
              + " different disk than that of the data.",
          Readers::wholePath);

  static final Setting<Integer> BACKUP_KEEP =
      Readers.whole(
          "backup.keep",
          "7",
          1,
          1000,
          "Number of backups of a workspace that the job `backup` keeps.");

  static final Setting<Boolean> BACKUP_INDEX =
      Readers.onOff(
          "backup.index",
          "false",
          "Whether the job `backup` includes the search index, which can be rebuilt from the"
              + " events.");

  static final Setting<Long> BACKUP_RATE =
      Readers.size(
          "backup.rate",
          "32MiB",
          "1MiB",
          "16GiB",
          "Maximum number of bytes per second that a backup copies, which limits its effect on"
              + " ingest.");

  static final Setting<Boolean> BACKUP_BEFORE_UPGRADE =
      Readers.onOff(
          "backup.before_upgrade",
          "true",
          "Whether a store in an older format is backed up before this version first writes to it."
              + " The backup goes to `backup.directory`, else to `backups` in the data directory.");

  static final Setting<String> JOBS_BACKUP =
      Readers.cron(
          "jobs.backup",
          "30 3 * * *",
          "Schedule for backing up each workspace; not used if `backup.directory` is `none`.");

  static final List<Setting<?>> ALL =
      List.of(
          DB_PATH,
          GRPC_HOST,
          GRPC_PORT,
          AUTH_LOOPBACK,
          MULTI_AGENT_MODE,
          AGENT_ID,
          WORKSPACES_MAX_OPEN,
          WORKSPACES_IDLE_CLOSE,
          DURABILITY,
          TOC_ZONE,
          TOC_ROLLUP_DEBOUNCE,
          SEGMENT_TIME,
          SEGMENT_TOKENS,
          OVERLAP_TIME,
          OVERLAP_TOKENS,
          TOOL_RESULT_CHARS,
          CLOCK_SKEW,
          MASK_SECRETS,
          BLOCK_CACHE,
          WRITE_BUFFER,
          MIN_FREE,
          QUEUE_COMMITS,
          QUEUE_BYTES,
          SUMMARIZER_PROVIDER,
          SUMMARIZER_MODEL,
          SUMMARIZER_API_KEY_ENV,
          SUMMARIZER_API_BASE_URL,
          SUMMARIZER_TIMEOUT,
          SUMMARIZER_MAX_OUTPUT_TOKENS,
          SUMMARIZER_CONTEXT_TOKENS,
          SUMMARIZER_SEED,
          SUMMARIZER_DAILY_TOKEN_BUDGET,
          EMBEDDINGS,
          EMBEDDING_MODEL,
          EMBEDDING_API_KEY_ENV,
          EMBEDDING_API_BASE_URL,
          EMBEDDING_DIMENSION,
          EMBEDDING_TIMEOUT,
          EMBEDDING_THREADS,
          LOG_LEVEL,
          LOG_TO,
          LOG_FILE_SIZE,
          LOG_FILES,
          BACKUP_DIRECTORY,
          BACKUP_KEEP,
          BACKUP_INDEX,
          BACKUP_RATE,
          BACKUP_BEFORE_UPGRADE,
          JOBS_COMPACTION,
          JOBS_OUTBOX_TRIM,
          JOBS_INTEGRITY_CHECK,
          JOBS_LLM_SUMMARIES,
          JOBS_EMBEDDING_BACKFILL,
          JOBS_SCRUB_PERIOD,
          JOBS_BACKUP,
          JOBS_ZONE,
          JOBS_JITTER,
          JOBS_TIMEOUT);

  private static final Map<String, Setting<?>> BY_KEY =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Setting::key, setting -> setting));

  private Settings() {}

  static Optional<Setting<?>> named(String key) {
    return Optional.ofNullable(BY_KEY.get(key));
  }
}
