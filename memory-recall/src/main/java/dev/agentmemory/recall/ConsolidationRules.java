package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.util.List;

/// What consolidation keeps, drops and merges.
///
/// @param promoteRelevance a short-term memory of a higher relevance can become long-term
/// @param promoteAccesses if it was also read more often than this
/// @param pruneBelow a short-term memory of a lower relevance is dropped
/// @param mergeCosine memories whose vectors are nearer are merged if they state the same
/// @param scopeCap most memories of a workspace, a channel, a conversation and the account each
public record ConsolidationRules(
    double promoteRelevance,
    int promoteAccesses,
    double pruneBelow,
    double mergeCosine,
    int scopeCap) {

  private static final Setting<Double> PROMOTE_RELEVANCE =
      Setting.decimal("recall.promote_relevance", "0.7", "0 to 10")
          .describedAs(
              "Consolidation makes a short-term memory long-term if its relevance is higher, and it"
                  + " was read more than `recall.promote_accesses` times.");

  private static final Setting<Integer> PROMOTE_ACCESSES =
      Setting.whole("recall.promote_accesses", 3, "0 to 1000000")
          .describedAs("See `recall.promote_relevance`.");

  private static final Setting<Double> PRUNE_BELOW =
      Setting.decimal("recall.prune_below", "0.01", "0 to 1")
          .describedAs("Consolidation drops short-term memories of a lower relevance.");

  private static final Setting<Double> MERGE_COSINE =
      Setting.decimal("recall.merge_cosine", "0.95", "0 to 1")
          .describedAs(
              "Consolidation merges memories that state the same and whose vectors have a higher"
                  + " cosine.");

  private static final Setting<Integer> SCOPE_CAP =
      Setting.whole("recall.scope_cap", 10_000, "1 to 1000000")
          .describedAs(
              "Maximum number of memories of a workspace, a channel, a conversation and the account"
                  + " each; consolidation drops those of the lowest relevance, except pinned ones"
                  + " and preferences.");

  public static final List<Setting<?>> SETTINGS =
      List.of(PROMOTE_RELEVANCE, PROMOTE_ACCESSES, PRUNE_BELOW, MERGE_COSINE, SCOPE_CAP);

  public static final ConsolidationRules DEFAULT = from(SettingReader.DEFAULTS);

  public ConsolidationRules {
    PROMOTE_RELEVANCE.check(promoteRelevance);
    PROMOTE_ACCESSES.check(promoteAccesses);
    PRUNE_BELOW.check(pruneBelow);
    MERGE_COSINE.check(mergeCosine);
    SCOPE_CAP.check(scopeCap);
  }

  public static ConsolidationRules from(SettingReader settings) {
    return new ConsolidationRules(
        settings.read(PROMOTE_RELEVANCE),
        settings.read(PROMOTE_ACCESSES),
        settings.read(PRUNE_BELOW),
        settings.read(MERGE_COSINE),
        settings.read(SCOPE_CAP));
  }
}
