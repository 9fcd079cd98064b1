package dev.agentmemory.postgres.config;

import java.time.Duration;
import java.util.regex.Pattern;

/// How a database is reached.
///
/// @param url for JDBC, such as `jdbc:postgresql://127.0.0.1/memory`
/// @param password is never logged; [#toString] leaves it out
/// @param schema that has the tables of the stores: lower-case letters, digits and `_`
/// @param writers connections that write, for all open stores
/// @param readers connections that read, for all open stores
/// @param timeout for a connection, and for a statement
public record PostgresConfig(
    String url,
    String user,
    String password,
    String schema,
    int writers,
    int readers,
    Duration timeout) {

  /// It becomes part of statements, where it cannot be a parameter.
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  public PostgresConfig {
    if (!SCHEMA.matcher(schema).matches()) {
      throw new IllegalArgumentException(
          "postgres.schema has to be of lower-case letters, digits and `_`, at most 63: " + schema);
    }
    if (writers < 1 || readers < 1) {
      throw new IllegalArgumentException("at least one connection to write and one to read");
    }
  }

  @Override
  public String toString() {
    return "%s as %s, schema %s".formatted(url, user, schema);
  }
}
