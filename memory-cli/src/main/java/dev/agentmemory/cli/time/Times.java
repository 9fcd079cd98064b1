package dev.agentmemory.cli.time;

import dev.agentmemory.client.MemoryClient;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Formats times in the store's zone, in which its days begin.
public record Times(ZoneId zone) {

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  /// The zone of a daemon's store.
  public static Times of(MemoryClient client) {
    return new Times(client.admin().status().zone());
  }

  /// `2026-01-30 14:30:00`.
  public String second(Instant time) {
    return SECOND.format(time.atZone(zone));
  }

  public String zoneName() {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }
}
