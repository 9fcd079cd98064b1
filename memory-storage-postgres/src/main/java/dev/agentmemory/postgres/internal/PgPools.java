package dev.agentmemory.postgres.internal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.SQLException;

/// The connections of a process to one database, for all its stores.
public final class PgPools implements AutoCloseable {

  private final HikariDataSource writers;
  private final HikariDataSource readers;

  private PgPools(HikariDataSource writers, HikariDataSource readers) {
    this.writers = writers;
    this.readers = readers;
  }

  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached
  public static PgPools open(PostgresConfig config) {
    HikariDataSource writers = pool(config, "memory-writers", config.writers(), false);
    try {
      return new PgPools(writers, pool(config, "memory-readers", config.readers(), true));
    } catch (RuntimeException e) {
      writers.close();
      throw e;
    }
  }

  private static HikariDataSource pool(
      PostgresConfig config, String name, int size, boolean reading) {
    var pool = new HikariConfig();
    pool.setPoolName(name);
    pool.setJdbcUrl(config.url());
    pool.setUsername(config.user());
    pool.setPassword(config.password());
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(config.timeout().toMillis());
    pool.setAutoCommit(reading);
    pool.setReadOnly(reading);
    int seconds = Math.toIntExact(Math.max(1, config.timeout().toSeconds()));
    pool.addDataSourceProperty("ApplicationName", "agent-memory");
    pool.addDataSourceProperty("socketTimeout", 2 * seconds);
    pool.addDataSourceProperty("connectTimeout", seconds);
    pool.addDataSourceProperty("tcpKeepAlive", true);
    pool.addDataSourceProperty("options", "-c statement_timeout=%ds".formatted(seconds));
    try {
      return new HikariDataSource(pool);
    } catch (RuntimeException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "%s cannot be reached (%s); check that the database runs, and user and password"
              .formatted(config, rootOf(e).getMessage()),
          e);
    }
  }

  private static Throwable rootOf(Throwable e) {
    return e.getCause() == null ? e : rootOf(e.getCause());
  }

  /// A connection that writes, with a transaction that begins with its first statement.
  Connection writer() throws SQLException {
    return writers.getConnection();
  }

  /// A connection that reads; each statement is a transaction.
  Connection reader() throws SQLException {
    return readers.getConnection();
  }

  /// Makes the tables that do not exist.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public void create(PgSchema schema) {
    try (Connection connection = writer()) {
      schema.create(connection);
    } catch (SQLException e) {
      throw PgErrors.translated("while creating the tables", e);
    }
  }

  @Override
  public void close() {
    writers.close();
    readers.close();
  }
}
