package dev.agentmemory.daemon.config;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/// The one table of everything that can be set. A range is never wider than that of the record the
/// value goes into. `docs/configuration.md` is checked against it.
final class Settings {

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

  static final List<Setting<?>> ALL =
      List.of(
          GRPC_HOST,
          GRPC_PORT,
          AUTH_LOOPBACK,
          DURABILITY,
          TOC_ZONE,
          TOC_ROLLUP_DEBOUNCE,
          SEGMENT_TIME,
          SEGMENT_TOKENS,
          OVERLAP_TIME,
          OVERLAP_TOKENS,
          TOOL_RESULT_CHARS,
          CLOCK_SKEW,
          BLOCK_CACHE,
          WRITE_BUFFER,
          MIN_FREE);

  private Settings() {}
}
