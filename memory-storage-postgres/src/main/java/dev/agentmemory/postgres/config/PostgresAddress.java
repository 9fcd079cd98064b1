package dev.agentmemory.postgres.config;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a database is.
///
/// @param hosts of its servers, each with its port or without; the primary is found among them
/// @param database its name
public record PostgresAddress(List<String> hosts, String database) {

  static final String FORM = "`postgresql://HOST[:PORT][,HOST[:PORT]]/DATABASE`, or none";

  private static final Pattern URL =
      Pattern.compile("(?:jdbc:)?postgres(?:ql)?://([^/?@,]+(?:,[^/?@,]+)*)/([A-Za-z0-9_.-]+)");

  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+])(?::\\d{1,5})?");

  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

  public PostgresAddress {
    hosts = List.copyOf(hosts);
  }

  /// @throws IllegalArgumentException saying what would be right
  public static PostgresAddress of(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "expected postgresql://HOST[:PORT]/DATABASE, several hosts with commas between them,"
              + " without a user, a password or parameters");
    }
    List<String> hosts = List.of(parts.group(1).split(","));
    hosts.stream()
        .filter(host -> !HOST.matcher(host).matches())
        .findFirst()
        .ifPresent(host -> {
          throw new IllegalArgumentException("expected a host with or without a port: " + host);
        });
    return new PostgresAddress(hosts, parts.group(2));
  }

  /// Whether all servers are on this machine.
  boolean isLocal() {
    return hosts.stream().map(host -> host.replaceFirst(":\\d+$", "")).allMatch(LOCAL::contains);
  }

  /// For JDBC.
  public String jdbcUrl() {
    return "jdbc:" + this;
  }

  @Override
  public String toString() {
    return "postgresql://%s/%s".formatted(String.join(",", hosts), database);
  }
}
