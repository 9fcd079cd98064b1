package dev.agentmemory.postgres.internal;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rows of one store in the tables of all stores.
///
/// A batch is one transaction. Its first statement is the fence: it counts the commit, if this
/// owner is still the owner and has written everything before. All statements are sent together,
/// and `commit` follows when the fence has counted, so a batch takes two round trips.
public final class PgRows implements Rows, Ownership {

  private static final Logger LOG = LoggerFactory.getLogger(PgRows.class);

  private final PgPools pools;
  private final PgSchema schema;
  private final StoreClaim claim;
  private final CommitFigures measured;
  private final PgReader current;

  /// Of the last write. Used by the thread that writes only.
  private long commitNo;

  private volatile long writes;
  private volatile @Nullable MemoryException refusing;

  private PgRows(PgPools pools, PgSchema schema, StoreClaim claim, CommitFigures measured) {
    this.pools = pools;
    this.schema = schema;
    this.claim = claim;
    this.measured = measured;
    this.commitNo = claim.commitNo();
    this.current = new PgReader(schema, claim.store(), this::read);
  }

  /// The rows of a store as they are, without becoming its owner; empty when there is none.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public static Optional<RowReader> peek(PgPools pools, PgSchema schema, String name) {
    try (Connection connection = pools.reader()) {
      OptionalLong store = StoreClaim.find(connection, schema, name);
      return store.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new PgReader(
                  schema,
                  store.getAsLong(),
                  new PgReader.Source() {
                    @Override
                    public <R> R read(PgReader.Reading<R> one) throws SQLException {
                      try (Connection each = pools.reader()) {
                        return one.with(each);
                      }
                    }
                  }));
    } catch (SQLException e) {
      throw PgErrors.translated("while opening the store " + name, e);
    }
  }

  /// Takes over the rows of a store, or makes a store without rows.
  ///
  /// @throws MemoryException `NOT_OWNER` when another daemon has it, `STORAGE_FAILED` when the
  ///   database refuses
  public static PgRows take(
      PgPools pools, PgSchema schema, String name, PgLease lease, CommitFigures measured) {
    try (Connection connection = pools.writer()) {
      try {
        StoreClaim claim = StoreClaim.take(connection, schema, name, lease.term());
        connection.commit();
        return new PgRows(pools, schema, claim, measured);
      } finally {
        // After a commit there is nothing that it could take back.
        rollback(connection);
      }
    } catch (SQLException e) {
      throw PgErrors.translated("while opening the store " + name, e);
    }
  }

  @Override
  public OptionalLong epoch() {
    return OptionalLong.of(claim.epoch());
  }

  @Override
  public boolean isLost() {
    MemoryException why = refusing;
    return claim.term().isOver() || (why != null && why.code() == ErrorCode.NOT_OWNER);
  }

  @Override
  public void check() {
    checkOpen();
  }

  private <T> T read(PgReader.Reading<T> reading) throws SQLException {
    checkOpen();
    try (Connection connection = pools.reader()) {
      return reading.with(connection);
    }
  }

  private void checkOpen() {
    MemoryException why = refusing;
    if (why != null) {
      throw new MemoryException(why.code(), String.valueOf(why.getMessage()), why);
    }
    claim.term().check();
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    return current.get(table, key);
  }

  @Override
  public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
    return current.get(table, keys);
  }

  @Override
  public void scan(
      Table table, byte[] from, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    current.scan(table, from, to, visitor, damage);
  }

  @Override
  public void scanBack(
      Table table, byte[] through, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    current.scanBack(table, through, to, visitor, damage);
  }

  @Override
  public byte[] lastKey(Table table) {
    return current.lastKey(table);
  }

  @Override
  public RowBatch batch() {
    return new PgBatch();
  }

  @Override
  public void write(RowBatch batch) {
    checkOpen();
    Map<Table, PgBatch.Changes> changes = ((PgBatch) batch).changes();
    long next = commitNo + 1;
    long begun = measured.nanos();
    int attempts = pools.mostWriters() + 1;
    while (!tryWrite(changes, next)) {
      attempts--;
      if (attempts == 0) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "the connection to the database broke again and again during a write; check the"
                + " network");
      }
    }
    measured.synced(begun);
    commitNo = next;
    long all = writes + 1;
    writes = all;
  }

  /// Where a write has come to.
  private enum Step {
    BEGUN,
    /// The database was asked to commit.
    COMMITTING,
    COMMITTED
  }

  /// Sends a batch.
  ///
  /// @return false when it is certain that nothing of it was written, because the connection broke
  /// @throws MemoryException when the database refuses, or when it is not known what was written
  private boolean tryWrite(Map<Table, PgBatch.Changes> changes, long number) {
    Step step = Step.BEGUN;
    boolean connected = false;
    try (Connection connection = pools.writer()) {
      connected = true;
      try {
        send(connection, changes, number);
        step = Step.COMMITTING;
        connection.commit();
        if (connection.getWarnings() == null) {
          step = Step.COMMITTED;
        }
      } finally {
        if (step != Step.COMMITTED) {
          rollback(connection);
        }
      }
    } catch (SQLException e) {
      return step == Step.COMMITTED || isWritten(e, step, connected, number);
    }
    // A warning says that a standby was not waited for.
    return step == Step.COMMITTED || wasCommitted(number);
  }

  /// After a failure.
  private boolean isWritten(SQLException e, Step step, boolean connected, long number) {
    if (PgErrors.isFence(e)) {
      throw fenced(number);
    }
    if (!connected || !PgErrors.isLost(e)) {
      throw PgErrors.translated("while writing", e);
    }
    pools.broken();
    if (step == Step.BEGUN) {
      return false;
    }
    LOG.warn("the answer to a commit was lost ({}); looking for it", e.getMessage());
    return wasCommitted(number);
  }

  /// The exception for a batch whose fence did not count.
  private MemoryException fenced(long number) {
    return lostCommits(lastCommit(), number - 1);
  }

  private MemoryException lostCommits(long last, long acknowledged) {
    return new MemoryException(
        ErrorCode.STORE_DAMAGED,
        "the database has commit %d of %s, where commit %d was acknowledged: it has lost commits; check its standbys and restore it"
            .formatted(last, claim.name(), acknowledged));
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("a transaction could not be rolled back; its connection is broken", e);
    }
  }

  /// Sends the statements of a batch as one message. The fence is the first one.
  private void send(Connection connection, Map<Table, PgBatch.Changes> changes, long number)
      throws SQLException {
    var statements = new PgStatements(schema, claim.store());
    statements.fence(claim.epoch(), number);
    changes.forEach(statements::add);
    try (PreparedStatement statement = statements.prepared(connection)) {
      statement.execute();
    }
  }

  /// Whether a commit whose answer was lost is in the tables.
  private boolean wasCommitted(long number) {
    return lastCommit() >= number;
  }

  /// How far the store was written, by whatever connection: several may have broken together.
  ///
  /// @throws MemoryException `NOT_OWNER` when another owner has taken it over; every call answers
  ///   so then
  private long lastCommit() {
    for (int left = pools.mostWriters(); ; left--) {
      try (Connection connection = pools.writer()) {
        OptionalLong last = claim.lastCommit(connection, schema);
        connection.commit();
        if (last.isEmpty()) {
          MemoryException why = claim.lost();
          refusing = why;
          throw why;
        }
        if (connection.getWarnings() == null) {
          return last.getAsLong();
        }
        if (left == 0) {
          throw new MemoryException(
              ErrorCode.STORAGE_FAILED,
              "the database did not wait for a standby; check that one runs");
        }
      } catch (SQLException e) {
        if (left == 0 || !PgErrors.isLost(e)) {
          throw PgErrors.translated("while looking for the last commit", e);
        }
        pools.broken();
      }
    }
  }

  /// Continues after a failed write.
  ///
  /// @throws MemoryException `NOT_OWNER`, `STORE_DAMAGED` when a commit that was acknowledged is
  ///   missing, or when the database still refuses
  public void resume() {
    long last = lastCommit();
    if (last < commitNo) {
      throw lostCommits(last, commitNo);
    }
    commitNo = last;
  }

  @Override
  public <T> T atOneMoment(Function<RowReader, T> reading) {
    checkOpen();
    try {
      return pools.moment(connection -> {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try {
          return reading.apply(
              new PgReader(
                  schema,
                  claim.store(),
                  new PgReader.Source() {
                    @Override
                    public <R> R read(PgReader.Reading<R> one) throws SQLException {
                      checkOpen();
                      return one.with(connection);
                    }
                  }));
        } finally {
          rollback(connection);
        }
      });
    } catch (SQLException e) {
      throw PgErrors.translated("while reading at one moment", e);
    }
  }

  @Override
  public void checkMayGoOn() {
    checkOpen();
  }

  /// Each write waits for the database's log.
  @Override
  public long syncs() {
    return writes;
  }

  /// Of the tables of all stores.
  @Override
  public long bytes() {
    return measured("n.nspname = ?", schema.name());
  }

  /// Of all stores.
  @Override
  public long bytes(Table table) {
    return measured("c.oid = ?::regclass", schema.table(table));
  }

  /// The size of the parts of tables, with their indexes.
  private long measured(String which, String parameter) {
    try {
      return read(connection -> {
        try (PreparedStatement statement =
            connection.prepareStatement(
                """
                select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0)
                from pg_inherits i join pg_class c on c.oid = i.inhparent and c.relkind = 'p'
                join pg_namespace n on n.oid = c.relnamespace
                where %s\
                """
                    .formatted(which))) {
          statement.setString(1, parameter);
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
          }
        }
      });
    } catch (SQLException e) {
      throw PgErrors.translated("while measuring the tables", e);
    }
  }

  @Override
  public StorageFigures figures() {
    checkOpen();
    return StorageFigures.NONE;
  }

  /// The database frees the space of what was replaced and deleted by itself.
  @Override
  public void compact() {
    checkOpen();
  }

  /// Gives the store up and refuses everything from now on.
  public void close() {
    boolean mine = !isLost();
    refusing = Rows.closed();
    if (mine) {
      release();
    }
  }

  private void release() {
    try (Connection connection = pools.writer()) {
      claim.release(connection, schema);
      connection.commit();
    } catch (SQLException e) {
      LOG.debug("the store {} stays this daemon's until its lease expires", claim.name(), e);
    }
  }

  @Override
  public String name() {
    return claim.name();
  }
}
