package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.util.List;

/// How memories are extracted from segments.
///
/// @param refine whether a model revises what the rules find
public record ExtractionConfig(boolean refine) {

  private static final Setting<Boolean> REFINE =
      Setting.onOff("recall.extraction.refine", false)
          .describedAs(
              "Whether the model of `summarizer.provider` revises what the rules extract from a"
                  + " closed segment; it makes one request per segment, which counts towards"
                  + " `summarizer.daily_token_budget` and uses at most half of it.");

  public static final List<Setting<?>> SETTINGS = List.of(REFINE);

  public static final ExtractionConfig DEFAULT = from(SettingReader.DEFAULTS);

  public static ExtractionConfig from(SettingReader settings) {
    return new ExtractionConfig(settings.read(REFINE));
  }
}
