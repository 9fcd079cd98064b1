package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/// For people at a terminal: time, level, component and message, then what else is known.
final class HumanLines extends LineEncoder {

  /// Always as long, so that lines can be compared.
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

  private final ZoneId zone;

  HumanLines(ZoneId zone) {
    this.zone = zone;
  }

  @Override
  String line(ILoggingEvent event) {
    LogFacts facts = LogFacts.of(event);
    var line = new StringBuilder();
    line.append(TIME.format(event.getInstant().atZone(zone)))
        .append(" %-5s %-9s ".formatted(event.getLevel(), facts.component()))
        .append(oneLine(event.getFormattedMessage()));
    facts.workspace().ifPresent(name -> append(line, Map.entry(LogFacts.WORKSPACE, name)));
    facts.sessionId().ifPresent(id -> append(line, Map.entry(LogFacts.SESSION, id)));
    facts.metadata().entrySet().forEach(fact -> append(line, fact));
    exception(event).ifPresent(trace -> line.append('\n').append(trace));
    return line.append('\n').toString();
  }

  private static void append(StringBuilder line, Map.Entry<String, String> fact) {
    line.append(' ').append(fact.getKey()).append('=').append(oneLine(fact.getValue()));
  }

  /// What others wrote must neither look like a line of ours nor steer the terminal.
  private static String oneLine(String text) {
    return text.replaceAll("\\R", " | ").replaceAll("\\p{Cntrl}", "?");
  }
}
