package dev.agentmemory.postgres.internal;

import dev.agentmemory.postgres.config.DaemonIdentity;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a daemon registered in the table `daemons`, and so the owner of its stores.
///
/// ```
/// register -> renew each third of the lease -> the row is gone or another one's: the term is over
///                                              -> register again, with a new incarnation
/// ```
///
/// Whoever wants a store of a daemon whose lease has expired deletes that daemon's row, and only
/// then takes the store. A renewal updates the same row, so that one of both fails. Only the clock
/// of the database says whether a lease has expired.
public final class PgLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PgLease.class);
  private static final int RENEWALS = 3;
  private static final int TRIES = 12;

  private final PgPools pools;
  private final PgSchema schema;
  private final DaemonIdentity daemon;
  private final Duration lease;
  private final Ticker ticker;
  private final BackgroundLoop loop;
  private volatile PgTerm term;
  private volatile Optional<String> problem = Optional.empty();

  private PgLease(
      PgPools pools, PgSchema schema, DaemonIdentity daemon, Duration lease, Ticker ticker)
      throws SQLException {
    this.pools = pools;
    this.schema = schema;
    this.daemon = daemon;
    this.lease = lease;
    this.ticker = ticker;
    this.term = register();
    this.loop = new BackgroundLoop("memory-lease", lease.dividedBy(RENEWALS), this::step);
  }

  /// Registers a daemon. A former process with the same id does not own anything any more.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public static PgLease begin(
      PgPools pools, PgSchema schema, DaemonIdentity daemon, Duration lease, Ticker ticker) {
    try {
      var begun = new PgLease(pools, schema, daemon, lease, ticker);
      begun.loop.start();
      return begun;
    } catch (SQLException e) {
      throw PgErrors.translated("while registering the daemon", e);
    }
  }

  /// The one that holds, or the last one.
  PgTerm term() {
    return term;
  }

  /// Why this daemon owns nothing, if that is so.
  public Optional<String> problem() {
    return problem;
  }

  private PgTerm register() throws SQLException {
    long asked = ticker.nanos();
    try (Connection connection = pools.lease();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                insert into %1$s (id, place, expires)
                values (?, ?, clock_timestamp() + ? * interval '1 millisecond')
                on conflict (id) do update
                set incarnation = default, place = excluded.place, expires = excluded.expires
                returning incarnation\
                """
                    .formatted(schema.daemons()))) {
      statement.setString(1, daemon.id());
      statement.setString(2, daemon.place());
      statement.setLong(3, lease.toMillis());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new PgTerm(daemon.id(), row.getLong(1), ticker, lease, asked);
      }
    }
  }

  private Duration step() {
    try {
      renew();
      return lease.dividedBy(RENEWALS);
    } catch (SQLException e) {
      LOG.debug("the lease could not be renewed", e);
      if (!term.isCertain() && problem.isEmpty()) {
        problem =
            Optional.of(
                "the lease of the workspaces could not be renewed (%s); nothing is answered until it is"
                    .formatted(e.getMessage()));
        LOG.warn("{}", problem.get());
      }
      return lease.dividedBy(TRIES);
    }
  }

  private void renew() throws SQLException {
    long asked = ticker.nanos();
    if (!term.isOver() && isRenewed()) {
      term.renewed(asked);
      told(Optional.empty());
      return;
    }
    term.end();
    if (incarnation().isPresent()) {
      // Both would take the workspaces from each other without an end.
      told(
          Optional.of(
              "another daemon has the same id (%s): was the data directory copied? Delete daemon.id in one of both and start it again"
                  .formatted(daemon.id())));
      return;
    }
    LOG.warn("another daemon has taken over what this one had; it begins anew");
    term = register();
    told(Optional.empty());
  }

  private void told(Optional<String> now) {
    if (!now.equals(problem)) {
      now.ifPresentOrElse(
          why -> LOG.error("{}", why), () -> LOG.info("the lease of the workspaces is renewed"));
      problem = now;
    }
  }

  /// A warning says that no standby has it: after a failover the database may think of an earlier
  /// end of the lease than this daemon.
  private boolean isRenewed() throws SQLException {
    try (Connection connection = pools.lease();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                update %s set expires = clock_timestamp() + ? * interval '1 millisecond'
                where id = ? and incarnation = ?\
                """
                    .formatted(schema.daemons()))) {
      statement.setLong(1, lease.toMillis());
      statement.setString(2, daemon.id());
      statement.setLong(3, term.incarnation());
      boolean renewed = statement.executeUpdate() == 1;
      if (renewed && statement.getWarnings() != null) {
        throw new SQLException(statement.getWarnings());
      }
      return renewed;
    }
  }

  /// Of the daemon with this id, if there is one.
  private OptionalLong incarnation() throws SQLException {
    try (Connection connection = pools.lease();
        PreparedStatement statement =
            connection.prepareStatement(
                "select incarnation from %s where id = ?".formatted(schema.daemons()))) {
      statement.setString(1, daemon.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /// Leaves, so that others can take over at once. To be called when its stores are closed.
  @Override
  public void close() {
    loop.close();
    term.end();
    try (Connection connection = pools.lease();
        PreparedStatement statement =
            connection.prepareStatement(
                "delete from %s where id = ? and incarnation = ?".formatted(schema.daemons()))) {
      statement.setString(1, daemon.id());
      statement.setLong(2, term.incarnation());
      statement.executeUpdate();
    } catch (SQLException e) {
      LOG.debug("the daemon stays registered until its lease expires", e);
    }
  }
}
