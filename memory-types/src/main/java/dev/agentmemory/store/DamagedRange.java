package dev.agentmemory.store;

/// Rows of a table that cannot be read.
///
/// @param table which, such as `events`; `log` for a file of the write-ahead log
/// @param from the unreadable row, or the last one before the range that can be read, as a readable
///   key; empty when the range begins with the table
/// @param to the same row, or the next one behind the range that can be read; empty when the range
///   ends with the table
/// @param reason what was found, such as a checksum that does not match, with file and offset
public record DamagedRange(String table, String from, String to, String reason) {

  /// A single row.
  public static DamagedRange row(String table, String key, String reason) {
    return new DamagedRange(table, key, key, reason);
  }

  /// The range in words.
  public String place() {
    if (from.equals(to) && !from.isEmpty()) {
      return from;
    }
    return "rows between %s and %s"
        .formatted(from.isEmpty() ? "the beginning" : from, to.isEmpty() ? "the end" : to);
  }
}
