package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;

/// How the relevance of memories decays.
///
/// @param enabled whether it does
/// @param channelRate what an observation of scope channel keeps of its relevance in an hour
/// @param workspaceRate the same of scope workspace
/// @param accountRate the same of scope account
/// @param conversationHalfLife in which the relevance of the kind conversation halves
/// @param findingHalfLife the same of findings
/// @param decisionHalfLife the same of decisions
/// @param floor lowest decay of kinds with a half-life
public record DecayConfig(
    boolean enabled,
    double channelRate,
    double workspaceRate,
    double accountRate,
    Duration conversationHalfLife,
    Duration findingHalfLife,
    Duration decisionHalfLife,
    double floor) {

  private static final String SHARE = "0 to 1";
  private static final String HALF_LIFE = "1h to 3650d";

  private static final Setting<Boolean> ENABLED =
      Setting.onOff("recall.decay.enabled", true)
          .describedAs("Whether the relevance of memories decays with time.");

  private static final Setting<Double> CHANNEL_RATE =
      Setting.decimal("recall.decay.scope.channel", "0.99", SHARE)
          .describedAs(
              "Share of its relevance that an observation of scope channel keeps each hour since it"
                  + " was last read.");

  private static final Setting<Double> WORKSPACE_RATE =
      Setting.decimal("recall.decay.scope.workspace", "0.995", SHARE)
          .describedAs("The same for observations of scope workspace.");

  private static final Setting<Double> ACCOUNT_RATE =
      Setting.decimal("recall.decay.scope.account", "0.998", SHARE)
          .describedAs("The same for observations of scope account.");

  private static final Setting<Duration> CONVERSATION_HALF_LIFE =
      Setting.duration("recall.decay.half_life.conversation", "168h", HALF_LIFE)
          .describedAs("Time in which the relevance of a memory of kind conversation halves.");

  private static final Setting<Duration> FINDING_HALF_LIFE =
      Setting.duration("recall.decay.half_life.finding", "336h", HALF_LIFE)
          .describedAs("Time in which the relevance of a finding halves.");

  private static final Setting<Duration> DECISION_HALF_LIFE =
      Setting.duration("recall.decay.half_life.decision", "720h", HALF_LIFE)
          .describedAs("Time in which the relevance of a decision halves.");

  private static final Setting<Double> FLOOR =
      Setting.decimal("recall.decay.floor", "0.1", SHARE)
          .describedAs(
              "Share of its relevance that a conversation, finding or decision keeps however old it"
                  + " is.");

  public static final List<Setting<?>> SETTINGS =
      List.of(
          ENABLED,
          CHANNEL_RATE,
          WORKSPACE_RATE,
          ACCOUNT_RATE,
          CONVERSATION_HALF_LIFE,
          FINDING_HALF_LIFE,
          DECISION_HALF_LIFE,
          FLOOR);

  public static final DecayConfig DEFAULT = from(SettingReader.DEFAULTS);

  public DecayConfig {
    CHANNEL_RATE.check(channelRate);
    WORKSPACE_RATE.check(workspaceRate);
    ACCOUNT_RATE.check(accountRate);
    CONVERSATION_HALF_LIFE.check(conversationHalfLife);
    FINDING_HALF_LIFE.check(findingHalfLife);
    DECISION_HALF_LIFE.check(decisionHalfLife);
    FLOOR.check(floor);
  }

  public static DecayConfig from(SettingReader settings) {
    return new DecayConfig(
        settings.read(ENABLED),
        settings.read(CHANNEL_RATE),
        settings.read(WORKSPACE_RATE),
        settings.read(ACCOUNT_RATE),
        settings.read(CONVERSATION_HALF_LIFE),
        settings.read(FINDING_HALF_LIFE),
        settings.read(DECISION_HALF_LIFE),
        settings.read(FLOOR));
  }
}
