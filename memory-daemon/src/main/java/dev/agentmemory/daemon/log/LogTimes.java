package dev.agentmemory.daemon.log;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// How points in time stand in the log: always as long, so that lines can be compared.
final class LogTimes {

  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

  private LogTimes() {}

  static String utc(Instant at) {
    return UTC.format(at);
  }

  static String local(Instant at, ZoneId zone) {
    return LOCAL.format(at.atZone(zone));
  }
}
