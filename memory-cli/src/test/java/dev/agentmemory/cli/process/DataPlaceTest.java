package dev.agentmemory.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DataPlaceTest {

  private static final Path HOME = Path.of("/home/me");

  @Test
  void resolve_nothingSaid_isThePlatformsPlace() {
    assertThat(resolve(Map.of(), "Linux")).isEqualTo(HOME.resolve(".local/share/agent-memory"));
    assertThat(resolve(Map.of(), "Mac OS X"))
        .isEqualTo(HOME.resolve("Library/Application Support/agent-memory"));
  }

  @Test
  void resolve_xdgDataHome_isHonouredWhenAbsolute() {
    assertThat(resolve(Map.of("XDG_DATA_HOME", "/data"), "Linux"))
        .isEqualTo(Path.of("/data/agent-memory"));
    assertThat(resolve(Map.of("XDG_DATA_HOME", "data"), "Linux"))
        .isEqualTo(HOME.resolve(".local/share/agent-memory"));
  }

  @Test
  void resolve_flagOverVariableOverPlatform() {
    Map<String, String> environment = Map.of("MEMORY_DATA", "/mine");

    assertThat(resolve(environment, "Linux")).isEqualTo(Path.of("/mine"));
    assertThat(DataPlace.resolve(Optional.of(Path.of("/flag")), environment, "Linux", HOME))
        .isEqualTo(Path.of("/flag"));
  }

  private static Path resolve(Map<String, String> environment, String os) {
    return DataPlace.resolve(Optional.empty(), environment, os, HOME);
  }
}
