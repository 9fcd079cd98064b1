package dev.agentmemory.postgres.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// How a database is reached.
///
/// @param address of the servers and the database in it
/// @param password is never logged; [#toString] leaves it out
/// @param tls how connections are secured
/// @param schema that has the tables of the stores: lower-case letters, digits and `_`
/// @param writers connections that write, for all open stores
/// @param readers connections that read, for all open stores
/// @param requireStandby whether the server has to wait for a standby with each commit
/// @param timeout for a connection, and for a statement
/// @param lease how long a daemon owns its stores without a sign of life: 3 s to 60 s
public record PostgresConfig(
    PostgresAddress address,
    String user,
    String password,
    Tls tls,
    String schema,
    int writers,
    int readers,
    boolean requireStandby,
    Duration timeout,
    Duration lease) {

  /// How a connection is secured.
  public enum Tls {
    /// `VERIFY_FULL`, and not at all where all hosts are this machine.
    AUTO,
    /// Not at all.
    DISABLE,
    /// Encrypted, whoever the server is.
    REQUIRE,
    /// Encrypted, with a certificate of a trusted authority.
    VERIFY_CA,
    /// The same, with the name of the host in the certificate.
    VERIFY_FULL;

    /// The driver's name of it.
    private String mode() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /// It becomes part of statements, where it cannot be a parameter.
  private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Z_][A-Z0-9_]{0,127}");
  private static final String USER_RANGE = "a role of the database";

  public static final Setting<Optional<PostgresAddress>> URL =
      Setting.optional("postgres.url", PostgresAddress.FORM, PostgresAddress::of)
          .describedAs(
              "Address of the PostgreSQL database (15 or newer) that holds the stores when"
                  + " storage.engine is postgres. It has no user and no password.");

  public static final Setting<Optional<String>> USER =
      Setting.optional("postgres.user", USER_RANGE, text -> text)
          .describedAs("Role that owns the tables of the stores.");

  public static final Setting<String> PASSWORD_ENV =
      Setting.text(
              "postgres.password_env",
              "MEMORY_PG_PASSWORD",
              "a variable's name",
              text -> {
                if (!VARIABLE_NAME.matcher(text).matches()) {
                  throw new IllegalArgumentException(
                      "expected the name of an environment variable, such as MEMORY_PG_PASSWORD,"
                          + " not the password");
                }
              })
          .describedAs(
              "Environment variable that holds the role's password; the password itself is never"
                  + " configured.");

  private static final Setting<Tls> TLS =
      Setting.oneOf("postgres.tls", Tls.AUTO)
          .describedAs(
              "How connections to the database are secured; `auto` is verify-full, and disable"
                  + " where all hosts are this machine.");

  private static final Setting<String> SCHEMA =
      Setting.text(
              "postgres.schema",
              "agent_memory",
              "lower-case letters, digits and _, at most 63",
              text -> {
                if (!SCHEMA_NAME.matcher(text).matches()) {
                  throw new IllegalArgumentException(
                      "expected lower-case letters, digits and _, at most 63");
                }
              })
          .describedAs("Schema of the stores' tables; it is made when it is missing.");

  private static final Setting<Integer> WRITERS =
      Setting.whole("postgres.writers", 4, "1 to 100")
          .describedAs("Connections that write, for all open workspaces together.");

  private static final Setting<Integer> READERS =
      Setting.whole("postgres.readers", 8, "2 to 100")
          .describedAs("Connections that read, for all open workspaces together.");

  private static final Setting<Boolean> REQUIRE_STANDBY =
      Setting.onOff("postgres.require_standby", true)
          .describedAs(
              "Whether the daemon refuses a server whose commits do not wait for a standby. With a"
                  + " single host it does so only where this is set.");

  private static final Setting<Duration> TIMEOUT =
      Setting.duration("postgres.timeout", "10s", "1s to 10m")
          .describedAs("How long the daemon waits for a connection, and for a statement.");

  private static final Setting<Duration> LEASE =
      Setting.duration("cluster.lease", "10s", "3s to 60s")
          .describedAs(
              "Time without a sign of life after which other daemons of the same database take over"
                  + " the workspaces of a daemon. It answers nothing after two thirds of that.");

  /// The settings of the tables `postgres` and `cluster`.
  public static final List<Setting<?>> SETTINGS =
      List.of(
          URL, USER, PASSWORD_ENV, TLS, SCHEMA, WRITERS, READERS, REQUIRE_STANDBY, TIMEOUT, LEASE);

  public PostgresConfig {
    SCHEMA.check(schema);
    WRITERS.check(writers);
    READERS.check(readers);
    TIMEOUT.check(timeout);
    LEASE.check(lease);
  }

  /// @param address that was read from [#URL]
  /// @param user that was read from [#USER]
  public static PostgresConfig from(
      SettingReader settings, PostgresAddress address, String user, String password) {
    return new PostgresConfig(
        address,
        user,
        password,
        settings.read(TLS),
        settings.read(SCHEMA),
        settings.read(WRITERS),
        settings.read(READERS),
        settings.find(REQUIRE_STANDBY).orElse(address.hosts().size() > 1),
        settings.read(TIMEOUT),
        settings.read(LEASE));
  }

  /// The same for a program that has no settings.
  public static PostgresConfig of(PostgresAddress address, String user, String password) {
    return from(SettingReader.DEFAULTS, address, user, password);
  }

  public PostgresConfig withSchema(String other) {
    return new PostgresConfig(
        address, user, password, tls, other, writers, readers, requireStandby, timeout, lease);
  }

  /// @param demanded whether the server has to wait for a standby with each commit
  public PostgresConfig withStandby(boolean demanded) {
    return new PostgresConfig(
        address, user, password, tls, schema, writers, readers, demanded, timeout, lease);
  }

  public PostgresConfig withTimeout(Duration other) {
    return new PostgresConfig(
        address, user, password, tls, schema, writers, readers, requireStandby, other, lease);
  }

  public PostgresConfig withLease(Duration other) {
    return new PostgresConfig(
        address, user, password, tls, schema, writers, readers, requireStandby, timeout, other);
  }

  /// How connections are secured, by the driver's name of it.
  public String sslMode() {
    Tls used = tls == Tls.AUTO ? address.isLocal() ? Tls.DISABLE : Tls.VERIFY_FULL : tls;
    return used.mode();
  }

  @Override
  public String toString() {
    return "%s as %s, schema %s".formatted(address, user, schema);
  }
}
