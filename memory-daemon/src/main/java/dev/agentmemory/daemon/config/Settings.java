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
          "a folder, relative to the data directory; `~/` is the home",
          "Where the stores are.",
          Readers::path);

  static final Setting<String> GRPC_HOST =
      new Setting<>(
          "grpc_host",
          "127.0.0.1",
          "a loopback address",
          "Address on which the daemon listens. Others need TLS, which this version does not have.",
          Readers::loopback);

  static final Setting<Integer> GRPC_PORT =
      Readers.whole("grpc_port", "50051", 0, 65_535, "Port of the daemon; 0 takes a free one.");

  static final Setting<Boolean> AUTH_LOOPBACK =
      Readers.either(
          "auth.loopback",
          "token",
          "open",
          "Whether local callers send the token; `open` is for old clients that cannot.");

  static final Setting<WorkspacesConfig.Mode> MULTI_AGENT_MODE =
      Readers.oneOf(
          "multi_agent_mode",
          WorkspacesConfig.DEFAULT.mode(),
          WorkspacesConfig.Mode.class,
          "Whether each workspace has a store of its own, or all agents share one and each event"
              + " is marked with its agent.");

  static final Setting<String> AGENT_ID =
      new Setting<>(
          "agent_id",
          WorkspacesConfig.DEFAULT.agentId(),
          "1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit",
          "Workspace or agent of callers that name none.",
          Readers::name);

  static final Setting<Integer> WORKSPACES_MAX_OPEN =
      Readers.whole("workspaces.max_open", "16", 1, 1000, "Stores that may be open at once.");

  static final Setting<Duration> WORKSPACES_IDLE_CLOSE =
      Readers.duration(
          "workspaces.idle_close",
          "10m",
          "1s",
          "7d",
          "How long nobody needs a store before it is closed.");

  static final Setting<Boolean> DURABILITY =
      Readers.either(
          "durability",
          "fsync",
          "async",
          "Whether an event is on the disk before it is acknowledged; `async` can lose the last"
              + " seconds when the power fails.");

  static final Setting<ZoneId> TOC_ZONE =
      new Setting<>(
          "toc.zone",
          "UTC",
          "a zone id such as `Europe/Paris`",
          "Zone in which days begin. Fixed when the store is created.",
          Readers::zone);

  static final Setting<Duration> TOC_ROLLUP_DEBOUNCE =
      Readers.duration(
          "toc.rollup_debounce",
          "500ms",
          "0s",
          "10m",
          "How long days, weeks, months and years wait for more changes before they are"
              + " summarised.");

  static final Setting<Duration> SEGMENT_TIME =
      Readers.duration(
          "segmentation.time_threshold", "30m", "1s", "7d", "Silence that ends a segment.");

  static final Setting<Integer> SEGMENT_TOKENS =
      Readers.whole(
          "segmentation.token_threshold", "4096", 64, 100_000, "Tokens that a segment may hold.");

  static final Setting<Duration> OVERLAP_TIME =
      Readers.duration(
          "segmentation.overlap_time",
          "5m",
          "0s",
          "1h",
          "How old the events of the segment before may be that a summariser sees as context.");

  static final Setting<Integer> OVERLAP_TOKENS =
      Readers.whole(
          "segmentation.overlap_tokens",
          "500",
          0,
          10_000,
          "How many tokens of the segment before a summariser sees as context.");

  static final Setting<Integer> TOOL_RESULT_CHARS =
      Readers.whole(
          "segmentation.max_tool_result_chars",
          "2000",
          100,
          100_000,
          "How much of a tool result is counted and summarised; it is stored whole.");

  static final Setting<Duration> CLOCK_SKEW =
      Readers.duration(
          "ingest.max_clock_skew",
          "5m",
          "0s",
          "1d",
          "How far ahead of the daemon's clock an event's time may lie.");

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
          "Memory for parts of the store that were read.");

  static final Setting<Long> WRITE_BUFFER =
      Readers.size(
          "storage.write_buffer",
          "64MiB",
          "1MiB",
          "16GiB",
          "Memory for what was written and is not yet in a table file.");

  static final Setting<Long> MIN_FREE =
      Readers.size(
          "storage.min_free",
          "64MiB",
          "0",
          "64GiB",
          "Room on the disk below which no events are taken; 0 takes them until the disk refuses.");

  static final Setting<SummarizerConfig.Provider> SUMMARIZER_PROVIDER =
      Readers.provider(
          "summarizer.provider",
          "Who writes titles and bullets. `extractive` needs no key and no network. With a model,"
              + " `extractive` writes at once and the model's words replace these later; `openai` is"
              + " also any server that speaks as it does, `local` is another name of `ollama`.");

  static final Setting<Optional<String>> SUMMARIZER_MODEL =
      Readers.optional(
          "summarizer.model",
          "a model's name, or none",
          "Model of the provider; `none` is gpt-4o-mini (openai), claude-haiku-5-5 (anthropic),"
              + " llama3.2 (ollama).",
          Readers::model);

  static final Setting<Optional<String>> SUMMARIZER_API_KEY_ENV =
      Readers.optional(
          "summarizer.api_key_env",
          "a variable's name, or none",
          "Environment variable that holds the provider's key; the key itself is never configured."
              + " `none` is OPENAI_API_KEY (openai at its own address), ANTHROPIC_API_KEY"
              + " (anthropic), no key (ollama, openai at another address).",
          Readers::variableName);

  static final Setting<Optional<URI>> SUMMARIZER_API_BASE_URL =
      Readers.optional(
          "summarizer.api_base_url",
          "an http or https address, or none",
          "Where the provider answers; `none` is the provider's own address.",
          Readers::webAddress);

  static final Setting<Duration> SUMMARIZER_TIMEOUT =
      Readers.duration(
          "summarizer.timeout",
          "60s",
          "1s",
          "10m",
          "How long one request to the provider may take.");

  static final Setting<Integer> SUMMARIZER_MAX_OUTPUT_TOKENS =
      Readers.whole(
          "summarizer.max_output_tokens",
          "1000",
          100,
          100_000,
          "Tokens that one answer may have; at most half of `summarizer.context_tokens`.");

  static final Setting<Integer> SUMMARIZER_CONTEXT_TOKENS =
      Readers.whole(
          "summarizer.context_tokens",
          "8192",
          1024,
          10_000_000,
          "Tokens that a request and its answer may have together; longer segments are cut to that.");

  static final Setting<Optional<Integer>> SUMMARIZER_SEED =
      Readers.wholeOrNone(
          "summarizer.seed",
          0,
          Integer.MAX_VALUE,
          "Seed for providers that take one, so that the same request gets the same answer more"
              + " often.");

  static final Setting<Integer> SUMMARIZER_DAILY_TOKEN_BUDGET =
      Readers.whole(
          "summarizer.daily_token_budget",
          "200000",
          0,
          2_000_000_000,
          "Tokens, input and output together, that a store may spend on a day of its zone; then the"
              + " model waits for the next day. 0 is no limit.");

  static final Setting<EmbeddingConfig.Provider> EMBEDDINGS =
      Readers.oneOf(
          "search.embeddings",
          EmbeddingConfig.Provider.LOCAL,
          EmbeddingConfig.Provider.class,
          "Who gives events the vectors by which search finds them by meaning. `local` is a model"
              + " inside the daemon and needs no key and no network; with `none` everything is found"
              + " by its words; `openai` is also any server that speaks as it does.");

  static final Setting<Optional<String>> EMBEDDING_MODEL =
      Readers.optional(
          "search.embedding_model",
          "a model's name, or none",
          "Model of the server; `none` is text-embedding-3-small (openai), nomic-embed-text (ollama)."
              + " After a change all events are embedded anew in the background.",
          Readers::model);

  static final Setting<Optional<String>> EMBEDDING_API_KEY_ENV =
      Readers.optional(
          "search.embedding_api_key_env",
          "a variable's name, or none",
          "Environment variable that holds the server's key; the key itself is never configured."
              + " `none` is OPENAI_API_KEY (openai at its own address), no key (ollama, openai at"
              + " another address).",
          Readers::variableName);

  static final Setting<Optional<URI>> EMBEDDING_API_BASE_URL =
      Readers.optional(
          "search.embedding_api_base_url",
          "an http or https address, or none",
          "Where the server answers; `none` is the provider's own address.",
          Readers::webAddress);

  static final Setting<Optional<Integer>> EMBEDDING_DIMENSION =
      Readers.wholeOrNone(
          "search.embedding_dimension",
          1,
          1024,
          "How many numbers a vector of the server's model has; `none` is 768 (openai), what the model"
              + " gives (ollama).");

  static final Setting<Duration> EMBEDDING_TIMEOUT =
      Readers.duration(
          "search.embedding_timeout",
          "30s",
          "1s",
          "10m",
          "How long one request to the server may take.");

  static final Setting<Optional<Integer>> EMBEDDING_THREADS =
      Readers.wholeOrNone(
          "search.embedding_threads",
          1,
          16,
          "Threads on which the local model works on events; `none` is half of the cores, at least"
              + " one.");

  static final Setting<LogLevel> LOG_LEVEL =
      Readers.oneOf("log_level", LogLevel.INFO, LogLevel.class, "How much the log says.");

  static final Setting<Boolean> LOG_TO =
      Readers.either(
          "log_to",
          "output",
          "file",
          "Where the log goes: to the output of a daemon in the foreground, or to `logs/daemon.log`."
              + " One in the background always writes the file.");

  static final Setting<Long> LOG_FILE_SIZE =
      Readers.size(
          "log_file_size",
          "10MiB",
          "64KiB",
          "1GiB",
          "Size at which the file of the log is put aside.");

  static final Setting<Integer> LOG_FILES =
      Readers.whole(
          "log_files",
          "5",
          2,
          20,
          "How many files of the log are kept, the one that is written to among them.");

  static final Setting<Integer> QUEUE_COMMITS =
      Readers.whole(
          "storage.queue_commits",
          "8192",
          1,
          1_000_000,
          "Writes that may wait for the disk; one more is refused with a hint when to try again.");

  static final Setting<Long> QUEUE_BYTES =
      Readers.size(
          "storage.queue_bytes",
          "32MiB",
          "1MiB",
          "1GiB",
          "What the waiting writes may weigh together.");

  static final Setting<String> JOBS_COMPACTION =
      Readers.cron(
          "jobs.compaction",
          "0 4 * * *",
          "When the room of deleted and replaced records is given back.");

  static final Setting<String> JOBS_OUTBOX_TRIM =
      Readers.cron(
          "jobs.outbox_trim",
          "*/5 * * * *",
          "When changes are dropped that the table of contents and the search index have taken in.");

  static final Setting<String> JOBS_INTEGRITY_CHECK =
      Readers.cron(
          "jobs.integrity_check",
          "30 4 * * 0",
          "When the whole store is checked, without haste; `memory jobs` shows what was found.");

  static final Setting<String> JOBS_LLM_SUMMARIES =
      Readers.cron(
          "jobs.llm_summaries",
          "*/5 * * * *",
          "When the model is asked for better words for what has closed; not at all with"
              + " `summarizer.provider` extractive.");

  static final Setting<String> JOBS_EMBEDDING_BACKFILL =
      Readers.cron(
          "jobs.embedding_backfill",
          "*/30 * * * *",
          "When events without an embedding get one that an earlier attempt left out; first a minute"
              + " after the start. Not at all with `search.embeddings` none.");

  static final Setting<Duration> JOBS_SCRUB_PERIOD =
      Readers.durationOrNever(
          "jobs.scrub_period",
          "7d",
          "1h",
          "365d",
          "In what time every table and log file is read once and its checksums are compared; with 0s"
              + " only by `memory jobs run scrub`.");

  static final Setting<ZoneId> JOBS_ZONE =
      new Setting<>(
          "jobs.zone",
          "UTC",
          "a zone id such as `Europe/Paris`",
          "Zone whose clocks the cron expressions mean.",
          Readers::zone);

  static final Setting<Duration> JOBS_JITTER =
      Readers.duration(
          "jobs.jitter",
          "1m",
          "0s",
          "1h",
          "How much later, at random, a job may begin than its cron expression says; never after"
              + " half the way to its next time.");

  static final Setting<Duration> JOBS_TIMEOUT =
      Readers.duration(
          "jobs.timeout",
          "1h",
          "1s",
          "7d",
          "How long a run of a job may take before it is interrupted and has failed; a rebuild may"
              + " take a day.");

  static final Setting<Optional<Path>> BACKUP_DIRECTORY =
      Readers.optional(
          "backup.directory",
          "a whole path, or none",
          "Directory in which the job `backup` makes backups; `none` turns the job off. Best on"
              + " another disk than the data.",
          Readers::wholePath);

  static final Setting<Integer> BACKUP_KEEP =
      Readers.whole(
          "backup.keep",
          "7",
          1,
          1000,
          "How many backups of a workspace the job `backup` keeps in its directory.");

  static final Setting<Boolean> BACKUP_INDEX =
      Readers.onOff(
          "backup.index",
          "false",
          "Whether the job `backup` includes the search index, which can be made anew from the"
              + " events.");

  static final Setting<Long> BACKUP_RATE =
      Readers.size(
          "backup.rate",
          "32MiB",
          "1MiB",
          "16GiB",
          "How much a backup copies in a second at most, so that the disk is left to the events.");

  static final Setting<Boolean> BACKUP_BEFORE_UPGRADE =
      Readers.onOff(
          "backup.before_upgrade",
          "true",
          "Whether a store of a former format is backed up before this version first writes to it,"
              + " to `backup.directory`, else to `backups` in the data directory.");

  static final Setting<String> JOBS_BACKUP =
      Readers.cron(
          "jobs.backup",
          "30 3 * * *",
          "When each workspace is backed up; not at all with `backup.directory` none.");

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
