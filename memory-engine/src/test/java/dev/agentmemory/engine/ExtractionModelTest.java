package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.recall.ExtractionConfig;
import dev.agentmemory.spi.SystemServices;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// When there is a model that revises what is extracted.
class ExtractionModelTest {

  private static boolean isThere(boolean refine, String provider) {
    var summarizer =
        SummarizerConfig.from(SettingReader.of(Map.of("summarizer.provider", provider)));
    var model =
        Models.extraction(
            SystemServices.ofMachine(),
            summarizer,
            new ExtractionConfig(refine),
            String::length,
            text -> text);
    model.ifPresent(open -> open.close());
    return model.isPresent();
  }

  @Test
  void model_isThere_whenRefinementIsOnAndAProviderIsSet() {
    assertThat(isThere(true, "ollama")).isTrue();
    assertThat(isThere(true, "extractive")).isFalse();
    assertThat(isThere(false, "ollama")).isFalse();
    assertThat(ExtractionConfig.DEFAULT.refine()).isFalse();
  }
}
