package dev.agentmemory.daemon.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HumanLinesTest {

  private final HumanLines lines = new HumanLines(ZoneId.of("Europe/Paris"));

  @Test
  void line_everythingKnown_isOneReadableLine() {
    LoggingEvent event = event(Level.INFO, "took {} ms", null, 7);
    event.setMDCPropertyMap(Map.of("workspace", "alpha", "session_id", "s1", "job", "compaction"));

    assertThat(lines.line(event))
        .isEqualTo(
            "2026-01-30 15:30:00.005 INFO  storage   took 7 ms workspace=alpha session_id=s1"
                + " job=compaction\n");
  }

  @Test
  void line_wordsOfOthers_cannotPretendToBeALineOrSteerTheTerminal() {
    LoggingEvent event = event(Level.WARN, "text {}", null, "a\r\nb\u001b[2J");
    event.setMDCPropertyMap(Map.of());

    assertThat(lines.line(event)).endsWith("storage   text a | b?[2J\n");
  }

  @Test
  void line_somethingThrown_isFollowedByItsTrace() {
    LoggingEvent event = event(Level.ERROR, "failed", new IllegalStateException("why"));
    event.setMDCPropertyMap(Map.of());

    assertThat(lines.line(event))
        .startsWith(
            "2026-01-30 15:30:00.005 ERROR storage   failed\njava.lang.IllegalStateException: why\n"
                + "\tat ")
        .endsWith("\n");
  }

  private static LoggingEvent event(
      Level level, String message, @Nullable Throwable thrown, Object... arguments) {
    var context = new LoggerContext();
    var event =
        new LoggingEvent(
            HumanLinesTest.class.getName(),
            context.getLogger("dev.agentmemory.storage.RowStore"),
            level,
            message,
            thrown,
            arguments);
    event.setInstant(Instant.parse("2026-01-30T14:30:00.005Z"));
    return event;
  }
}
