package dev.agentmemory.postgres.internal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The connections of a process to one database, for all its stores: some that write, some that
/// read, and one for the lease.
public final class PgPools implements AutoCloseable {

  private final HikariDataSource writers;
  private final HikariDataSource readers;
  private final HikariDataSource lease;
  private final int mostWriters;

  /// One connection is left for those that read a row: who reads at one moment may read rows, too.
  private final Semaphore moments;

  private final Duration timeout;

  private PgPools(
      HikariDataSource writers,
      HikariDataSource readers,
      HikariDataSource lease,
      int mostWriters,
      Semaphore moments,
      Duration timeout) {
    this.writers = writers;
    this.readers = readers;
    this.lease = lease;
    this.mostWriters = mostWriters;
    this.moments = moments;
    this.timeout = timeout;
  }

  /// What the connections of a pool are for.
  private enum Use {
    /// Transactions of several statements.
    WRITING,
    /// Each statement is a transaction.
    READING,
    /// The same; they write.
    LEASE
  }

  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached
  public static PgPools open(PostgresConfig config) {
    var opened = new ArrayDeque<HikariDataSource>();
    try {
      opened.add(pool(config, Use.WRITING, config.writers(), config.timeout()));
      opened.add(pool(config, Use.READING, config.readers(), config.timeout()));
      // A renewal must not wait for so long that the next one comes too late.
      opened.add(pool(config, Use.LEASE, 1, config.lease().dividedBy(3)));
      return new PgPools(
          opened.remove(),
          opened.remove(),
          opened.remove(),
          config.writers(),
          new Semaphore(config.readers() - 1),
          config.timeout());
    } catch (RuntimeException e) {
      opened.forEach(HikariDataSource::close);
      throw e;
    }
  }

  private static HikariDataSource pool(PostgresConfig config, Use use, int size, Duration timeout) {
    boolean reading = use == Use.READING;
    var pool = new HikariConfig();
    pool.setPoolName("memory-" + use.name().toLowerCase(Locale.ROOT));
    pool.setJdbcUrl(config.address().jdbcUrl());
    pool.setUsername(config.user());
    pool.setPassword(config.password());
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(timeout.toMillis());
    pool.setAutoCommit(use != Use.WRITING);
    pool.setReadOnly(reading);
    // With another level the fence fails instead of not counting.
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setIsolateInternalQueries(true);
    pool.setConnectionInitSql(ServerCheck.of(config).sql());
    int seconds = Math.toIntExact(Math.max(1, timeout.toSeconds()));
    pool.addDataSourceProperty("ApplicationName", "agent-memory");
    pool.addDataSourceProperty("socketTimeout", use == Use.LEASE ? seconds : 2 * seconds);
    pool.addDataSourceProperty("connectTimeout", seconds);
    pool.addDataSourceProperty("tcpKeepAlive", true);
    pool.addDataSourceProperty("sslmode", config.sslMode());
    pool.addDataSourceProperty("targetServerType", "primary");
    pool.addDataSourceProperty("options", options(seconds, reading));
    if (reading) {
      // A damaged row must not end what is read at one moment.
      pool.addDataSourceProperty("autosave", "always");
    }
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

  /// A writer that was stopped within a transaction must not keep the next owner waiting.
  private static String options(int seconds, boolean reading) {
    String all = "-c statement_timeout=%ds".formatted(seconds);
    return reading ? all : all + " -c idle_in_transaction_session_timeout=%ds".formatted(seconds);
  }

  private static Throwable rootOf(Throwable e) {
    return e.getCause() == null ? e : rootOf(e.getCause());
  }

  /// A connection that writes, with a transaction that begins with its first statement. An
  /// interrupt does not end the wait for one: the store would refuse the commits of others.
  Connection writer() throws SQLException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return writers.getConnection();
        } catch (SQLException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// The connection for the lease.
  Connection lease() throws SQLException {
    return lease.getConnection();
  }

  /// How many connections may have broken together.
  int mostWriters() {
    return mostWriters;
  }

  /// A connection that writes has broken. The server may be another one from now on, so the others
  /// are not used any more.
  void broken() {
    writers.getHikariPoolMXBean().softEvictConnections();
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  /// A connection that reads; each statement is a transaction.
  Connection reader() throws SQLException {
    return readers.getConnection();
  }

  /// Something that keeps a connection for a while.
  interface Moment<T> {
    T with(Connection connection) throws SQLException;
  }

  /// Reads with a connection of its own for as long as that takes.
  ///
  /// @throws MemoryException `QUEUE_FULL` when too many do so already
  <T> T moment(Moment<T> reading) throws SQLException {
    if (!acquired()) {
      throw new MemoryException(
          ErrorCode.QUEUE_FULL,
          "too many calls read the whole store at the same time; try again later, or raise"
              + " postgres.readers");
    }
    try (Connection connection = reader()) {
      return reading.with(connection);
    } finally {
      moments.release();
    }
  }

  private boolean acquired() {
    try {
      return moments.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
    lease.close();
    writers.close();
    readers.close();
  }
}
