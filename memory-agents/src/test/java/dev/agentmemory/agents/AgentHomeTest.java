package dev.agentmemory.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AgentHomeTest {

  @Test
  void variable_isFollowed() {
    assertThat(AgentHome.of(Map.of("HOME", "/elsewhere"))).isEqualTo(Path.of("/elsewhere"));
  }

  @Test
  void withoutTheVariable_theUsersDirectoryIsTaken() {
    Path users = Path.of(System.getProperty("user.home"));

    assertThat(AgentHome.of(Map.of())).isEqualTo(users);
    assertThat(AgentHome.of(Map.of("HOME", " "))).isEqualTo(users);
  }
}
