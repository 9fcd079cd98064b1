package dev.agentmemory.gateway.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ExpandToolTest {

  @TempDir private Path data;

  @Test
  void expand_ofAnEventInABusyTime_showsItsOwnSession() {
    Instant begin = TestEvents.START;
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      events.add(TestEvents.message("s-loud", begin.plusSeconds(i), "Noise " + i));
    }
    events.add(TestEvents.message("s-quiet", begin.plusSeconds(700), "The step before"));
    Event cited = TestEvents.message("s-quiet", begin.plusSeconds(702), "The step itself");
    events.add(cited);
    for (int i = 0; i < 600; i++) {
      events.add(TestEvents.message("s-loud", begin.plusSeconds(703 + i), "Echo " + i));
    }
    events.add(TestEvents.message("s-quiet", begin.plusSeconds(2000), "The step after"));
    try (var engine = new ToolEngine(data, _ -> Optional.empty())) {
      engine.store(events);

      assertThat(engine.call("memory_expand", Map.of("id", "evt:" + cited.id())).text())
          .contains("The step before", "The step itself", "The step after")
          .doesNotContain("Noise", "Echo");
    }
  }
}
