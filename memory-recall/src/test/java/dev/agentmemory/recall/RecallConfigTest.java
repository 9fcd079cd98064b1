package dev.agentmemory.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecallConfigTest {

  @Test
  void defaults_areThoseOfTheDesign() {
    assertThat(RecallConfig.DEFAULT)
        .isEqualTo(
            new RecallConfig(
                new DecayConfig(
                    true,
                    0.990,
                    0.995,
                    0.998,
                    Duration.ofHours(168),
                    Duration.ofHours(336),
                    Duration.ofHours(720),
                    0.1),
                new SessionLimits(10_000_000, true, 0.9, 0.05, Duration.ofHours(24)),
                new ConsolidationRules(0.7, 3, 0.01, 0.95, 10_000),
                new OrientConfig(false, Duration.ofMillis(500)),
                new ExtractionConfig(false),
                0.9,
                60,
                true,
                Duration.ofSeconds(1)));
  }

  @Test
  void everyKey_setToAnotherValue_changesItsOwnField() {
    Map<String, String> texts = new HashMap<>();
    texts.put("recall.decay.enabled", "false");
    texts.put("recall.decay.scope.channel", "0.5");
    texts.put("recall.decay.scope.workspace", "0.6");
    texts.put("recall.decay.scope.account", "0.7");
    texts.put("recall.decay.half_life.conversation", "1h");
    texts.put("recall.decay.half_life.finding", "2h");
    texts.put("recall.decay.half_life.decision", "3h");
    texts.put("recall.decay.floor", "0.2");
    texts.put("recall.session_quota", "1MiB");
    texts.put("recall.auto_compact", "false");
    texts.put("recall.compact_at", "0.8");
    texts.put("recall.compact_below", "0.04");
    texts.put("recall.idle_after", "2h");
    texts.put("recall.promote_relevance", "0.6");
    texts.put("recall.promote_accesses", "4");
    texts.put("recall.prune_below", "0.02");
    texts.put("recall.merge_cosine", "0.96");
    texts.put("recall.scope_cap", "20000");
    texts.put("recall.orient.refine", "true");
    texts.put("recall.orient.refine_timeout", "2s");
    texts.put("recall.extraction.refine", "true");
    texts.put("recall.dedup_cosine", "0.91");
    texts.put("recall.rrf_k", "61");
    texts.put("recall.checksums", "false");
    texts.put("recall.access_flush", "2s");
    assertThat(RecallConfig.SETTINGS.stream().map(Setting::key))
        .containsExactlyInAnyOrderElementsOf(texts.keySet());

    assertThat(RecallConfig.from(SettingReader.of(texts)))
        .isEqualTo(
            new RecallConfig(
                new DecayConfig(
                    false,
                    0.5,
                    0.6,
                    0.7,
                    Duration.ofHours(1),
                    Duration.ofHours(2),
                    Duration.ofHours(3),
                    0.2),
                new SessionLimits(1 << 20, false, 0.8, 0.04, Duration.ofHours(2)),
                new ConsolidationRules(0.6, 4, 0.02, 0.96, 20_000),
                new OrientConfig(true, Duration.ofSeconds(2)),
                new ExtractionConfig(true),
                0.91,
                61,
                false,
                Duration.ofSeconds(2)));
  }

  @Test
  void settings_haveDescriptions() {
    assertThat(RecallConfig.SETTINGS).allMatch(setting -> !setting.meaning().isEmpty());
  }

  @Test
  void value_outsideItsRange_isRefusedNamingTheKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConsolidationRules(0.7, 3, 0.01, 0.95, 0))
        .withMessageStartingWith("recall.scope_cap: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SessionLimits(10, true, 0.9, 0.05, Duration.ofHours(1)))
        .withMessageStartingWith("recall.session_quota: 10");
  }
}
