package dev.agentmemory.daemon.config;

import dev.agentmemory.pipeline.IngestLimits;
import dev.agentmemory.storage.StorageConfig;
import dev.agentmemory.toc.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  private void add(Source source) {
    problems.addAll(source.problems());
    List<String> known = Settings.ALL.stream().map(Setting::key).toList();
    source.values().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> {
          if (known.contains(entry.getKey())) {
            values.put(entry.getKey(), entry.getValue());
          } else {
            problems.add(unknown(entry.getKey(), entry.getValue().place(), known));
          }
        });
  }

  private static String unknown(String key, String place, List<String> known) {
    String hint =
        Nearest.within(key, known, FARTHEST_GUESS)
            .map(near -> "did you mean " + near + "?")
            .orElse("the keys are listed in docs/configuration.md");
    return place + ": no such setting; " + hint;
  }

  private DaemonConfig build(Path data) {
    // A value that cannot be read is replaced by its default, so that reading goes on and finds the
    // other mistakes; nothing is returned then.
    var config =
        new DaemonConfig(
            data,
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
            IngestLimits.DEFAULT.withMaxClockSkew(read(Settings.CLOCK_SKEW)),
            storage());
    if (!problems.isEmpty()) {
      throw new MemoryException(ErrorCode.INVALID_FIELD, String.join("\n", problems));
    }
    return config;
  }

  private StorageConfig storage() {
    StorageConfig told =
        StorageConfig.DEFAULT
            .withMemory(read(Settings.BLOCK_CACHE), read(Settings.WRITE_BUFFER))
            .withMinFree(read(Settings.MIN_FREE))
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
    Source.Named named = values.get(setting.key());
    if (named != null) {
      try {
        return setting.parse(named.text());
      } catch (IllegalArgumentException e) {
        problems.add(named.place() + ": " + named.text() + ": " + e.getMessage());
      }
    }
    return setting.parse(setting.defaultText());
  }
}
