package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.recall.OrientConfig;
import dev.agentmemory.spi.SystemServices;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// When there is a model that revises orientations.
class OrientationModelTest {

  private static boolean isThere(boolean refine, String provider) {
    var summarizer =
        SummarizerConfig.from(SettingReader.of(Map.of("summarizer.provider", provider)));
    var orient = new OrientConfig(refine, Duration.ofMillis(500));
    var model =
        Models.orientation(
            SystemServices.ofMachine(), summarizer, orient, String::length, text -> text);
    model.ifPresent(open -> open.close());
    return model.isPresent();
  }

  @Test
  void model_isThere_whenRefinementIsOnAndAProviderIsSet() {
    assertThat(isThere(true, "ollama")).isTrue();
    assertThat(isThere(true, "extractive")).isFalse();
    assertThat(isThere(false, "ollama")).isFalse();
    assertThat(OrientConfig.DEFAULT.refine()).isFalse();
  }
}
