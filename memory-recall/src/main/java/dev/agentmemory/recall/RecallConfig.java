package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// How memories are kept and found.
///
/// @param dedupCosine of memories whose vectors are nearer, and that state the same, one is shown
/// @param rrfK constant of reciprocal rank fusion
/// @param checksums whether the checksums of memories are verified when they are read
/// @param accessFlush how long access counts wait in memory before they are written, and how long
///   no memory is written before the word index of memories is made durable
public record RecallConfig(
    DecayConfig decay,
    SessionLimits sessions,
    ConsolidationRules consolidation,
    OrientConfig orient,
    ExtractionConfig extraction,
    double dedupCosine,
    int rrfK,
    boolean checksums,
    Duration accessFlush) {

  private static final Setting<Double> DEDUP_COSINE =
      Setting.decimal("recall.dedup_cosine", "0.9", "0 to 1")
          .describedAs(
              "A search shows one of the memories that state the same and whose vectors have a"
                  + " higher cosine.");

  private static final Setting<Integer> RRF_K =
      Setting.whole("recall.rrf_k", 60, "1 to 1000")
          .describedAs(
              "Constant of reciprocal rank fusion, which combines the ranks by words and by"
                  + " vectors.");

  private static final Setting<Boolean> CHECKSUMS =
      Setting.onOff("recall.checksums", true)
          .describedAs("Whether the checksum of a memory is verified when it is read.");

  private static final Setting<Duration> ACCESS_FLUSH =
      Setting.duration("recall.access_flush", "1s", "100ms to 1h")
          .describedAs(
              "Interval in which access counts are written; a crash loses those of one interval."
                  + " While memories are written, every tenth interval makes their word index"
                  + " durable; after a crash before that it is built again.");

  public static final List<Setting<?>> SETTINGS =
      Stream.of(
              DecayConfig.SETTINGS,
              SessionLimits.SETTINGS,
              ConsolidationRules.SETTINGS,
              OrientConfig.SETTINGS,
              ExtractionConfig.SETTINGS,
              List.of(DEDUP_COSINE, RRF_K, CHECKSUMS, ACCESS_FLUSH))
          .<Setting<?>>flatMap(List::stream)
          .toList();

  public static final RecallConfig DEFAULT = from(SettingReader.DEFAULTS);

  public RecallConfig {
    DEDUP_COSINE.check(dedupCosine);
    RRF_K.check(rrfK);
    ACCESS_FLUSH.check(accessFlush);
  }

  public static RecallConfig from(SettingReader settings) {
    return new RecallConfig(
        DecayConfig.from(settings),
        SessionLimits.from(settings),
        ConsolidationRules.from(settings),
        OrientConfig.from(settings),
        ExtractionConfig.from(settings),
        settings.read(DEDUP_COSINE),
        settings.read(RRF_K),
        settings.read(CHECKSUMS),
        settings.read(ACCESS_FLUSH));
  }
}
