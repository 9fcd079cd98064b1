package dev.agentmemory.toc.segment;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;

/// When a segment ends, and how much of it the next one gets to see.
///
/// @param timeThreshold a silence this long ends a segment
/// @param tokenThreshold the size of a segment in tokens; it may be passed by text of tools until
///   somebody speaks, up to twice
/// @param toolWeight what a token of a tool's text counts for the size
/// @param overlapTime how old an overlap event may be when the next segment starts
/// @param overlapTokens tokens of all overlap events together
/// @param maxToolResultChars tool results are cut to that many UTF-16 units before they are counted
///   and summarised
/// @param rest how long an open segment has to be without a new event until its digest is made
public record SegmentationConfig(
    Duration timeThreshold,
    int tokenThreshold,
    double toolWeight,
    Duration overlapTime,
    int overlapTokens,
    int maxToolResultChars,
    Duration rest) {

  private static final Setting<Duration> TIME_THRESHOLD =
      Setting.duration("segmentation.time_threshold", "30m", "1s to 7d")
          .describedAs("Gap between two events that ends a segment.");

  private static final Setting<Integer> TOKEN_THRESHOLD =
      Setting.whole("segmentation.token_threshold", 4096, "64 to 100000")
          .describedAs(
              "Size of a segment in tokens. Text of tools may exceed it until somebody speaks, up"
                  + " to twice.");

  private static final Setting<Double> TOOL_WEIGHT =
      Setting.decimal("segmentation.tool_weight", "0.25", "0 to 1")
          .describedAs("How much a token of a tool's text counts for the size of a segment.");

  private static final Setting<Duration> OVERLAP_TIME =
      Setting.duration("segmentation.overlap_time", "5m", "0s to 1h")
          .describedAs(
              "Maximum age of the events of the previous segment that a summariser receives as"
                  + " context.");

  private static final Setting<Integer> OVERLAP_TOKENS =
      Setting.whole("segmentation.overlap_tokens", 500, "0 to 10000")
          .describedAs(
              "Maximum number of tokens of the previous segment that a summariser receives as"
                  + " context.");

  private static final Setting<Integer> TOOL_RESULT_CHARS =
      Setting.whole("segmentation.max_tool_result_chars", 2000, "100 to 100000")
          .describedAs(
              "Number of characters of a tool result that are counted and summarised; the whole"
                  + " result is stored.");

  private static final Setting<Duration> REST =
      Setting.duration("segmentation.rest", "3s", "0s to 1h")
          .describedAs(
              "How long a segment that is still open has to be without a new event until its digest"
                  + " is stored.");

  public static final List<Setting<?>> SETTINGS =
      List.of(
          TIME_THRESHOLD,
          TOKEN_THRESHOLD,
          TOOL_WEIGHT,
          OVERLAP_TIME,
          OVERLAP_TOKENS,
          TOOL_RESULT_CHARS,
          REST);

  public static final SegmentationConfig DEFAULT = from(SettingReader.DEFAULTS);

  public SegmentationConfig {
    TIME_THRESHOLD.check(timeThreshold);
    TOKEN_THRESHOLD.check(tokenThreshold);
    TOOL_WEIGHT.check(toolWeight);
    OVERLAP_TIME.check(overlapTime);
    OVERLAP_TOKENS.check(overlapTokens);
    TOOL_RESULT_CHARS.check(maxToolResultChars);
    REST.check(rest);
  }

  public static SegmentationConfig from(SettingReader settings) {
    return new SegmentationConfig(
        settings.read(TIME_THRESHOLD),
        settings.read(TOKEN_THRESHOLD),
        settings.read(TOOL_WEIGHT),
        settings.read(OVERLAP_TIME),
        settings.read(OVERLAP_TOKENS),
        settings.read(TOOL_RESULT_CHARS),
        settings.read(REST));
  }
}
