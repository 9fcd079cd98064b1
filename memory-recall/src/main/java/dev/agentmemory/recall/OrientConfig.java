package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;

/// How the document that an agent begins with is made.
///
/// @param refine whether a model revises its selection
/// @param refineTimeout how long the model may take
public record OrientConfig(boolean refine, Duration refineTimeout) {

  private static final Setting<Boolean> REFINE =
      Setting.onOff("recall.orient.refine", false)
          .describedAs(
              "Whether the model of `summarizer.provider` revises the selection of `memory orient`;"
                  + " it makes one request, which counts towards `summarizer.daily_token_budget`.");

  private static final Setting<Duration> REFINE_TIMEOUT =
      Setting.duration("recall.orient.refine_timeout", "500ms", "50ms to 30s")
          .describedAs(
              "How long the model may take; after that the selection stays as it is without a"
                  + " model.");

  public static final List<Setting<?>> SETTINGS = List.of(REFINE, REFINE_TIMEOUT);

  public static final OrientConfig DEFAULT = from(SettingReader.DEFAULTS);

  public OrientConfig {
    REFINE_TIMEOUT.check(refineTimeout);
  }

  public static OrientConfig from(SettingReader settings) {
    return new OrientConfig(settings.read(REFINE), settings.read(REFINE_TIMEOUT));
  }
}
