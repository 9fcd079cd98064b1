package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.SessionId;
import org.junit.jupiter.api.Test;

class HookContextTest {

  @Test
  void partsOfTheSessionItself_areLeftOut() {
    String others = "## Monday, January 5, 2026, session s1\n\nuser: one [evt:1]\n\n";
    String own = "## Tuesday, January 6, 2026, session s2\n\nuser: two ## three [evt:2]\n\n";

    assertThat(HookContext.ofOthers(others + own + others, new SessionId("s2")))
        .isEqualTo(others + others);
    assertThat(HookContext.ofOthers(own, new SessionId("s2"))).isEmpty();
    assertThat(HookContext.ofOthers("", new SessionId("s2"))).isEmpty();
  }
}
