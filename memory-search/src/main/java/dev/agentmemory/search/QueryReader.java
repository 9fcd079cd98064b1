package dev.agentmemory.search;

import java.time.Instant;
import java.time.ZoneId;

/// Reads what was typed.
final class QueryReader {

  private QueryReader() {}

  /// @param zone in which days begin
  /// @param now the asker's present
  static ReadQuery read(String query, ZoneId zone, Instant now) {
    return ReadQuery.plain(query);
  }
}
