package dev.agentmemory.postgres.internal;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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
public final class PgRows implements Rows {

  private static final Logger LOG = LoggerFactory.getLogger(PgRows.class);

  /// How often a batch is sent again whose transaction was lost with its connection.
  private static final int ATTEMPTS = 5;

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

  /// Takes over the rows of a store, or makes a store without rows.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public static PgRows take(PgPools pools, PgSchema schema, String name, CommitFigures measured) {
    try (Connection connection = pools.writer()) {
      StoreClaim claim = StoreClaim.take(connection, schema, name);
      connection.commit();
      return new PgRows(pools, schema, claim, measured);
    } catch (SQLException e) {
      throw PgErrors.translated("while opening the store " + name, e);
    }
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
    Map<Table, PgBatch.Changes> changes = ((PgBatch) batch).changes();
    long next = commitNo + 1;
    long begun = measured.nanos();
    for (int attempt = 1; !isWritten(changes, next); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "the connection to the database broke %d times during a write; check the network"
                .formatted(ATTEMPTS));
      }
    }
    measured.synced(begun);
    commitNo = next;
    long all = writes + 1;
    writes = all;
  }

  /// Sends a batch.
  ///
  /// @return false when it is certain that nothing of it was written, because the connection broke
  /// @throws MemoryException when the database refuses, or when it is not known what was written
  private boolean isWritten(Map<Table, PgBatch.Changes> changes, long number) {
    boolean committing = false;
    boolean committed = false;
    try (Connection connection = pools.writer()) {
      try {
        committing = isSent(connection, changes, number);
        if (committing) {
          connection.commit();
          committed = true;
        }
      } finally {
        if (!committed) {
          rollback(connection);
        }
      }
    } catch (SQLException e) {
      if (committed) {
        LOG.debug("a connection broke after a commit", e);
      } else if (committing && PgErrors.isLost(e)) {
        LOG.warn("the answer to a commit was lost ({}); looking for it", e.getMessage());
        return isThere(number);
      } else {
        throw PgErrors.translated("while writing", e);
      }
    }
    if (!committing) {
      throw fenced(number);
    }
    return true;
  }

  /// The exception for a batch whose fence did not count.
  private MemoryException fenced(long number) {
    long last = lastCommit();
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        "the database has commit %d of %s, where commit %d was acknowledged; check its standbys"
            .formatted(last, claim.name(), number - 1));
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("a transaction could not be rolled back; its connection is broken", e);
    }
  }

  /// Sends the statements of a batch as one message. The fence is the first one.
  ///
  /// @return whether it has counted
  private boolean isSent(Connection connection, Map<Table, PgBatch.Changes> changes, long number)
      throws SQLException {
    var statements = new PgStatements(schema, claim.store());
    statements.fence(claim.epoch(), number);
    changes.forEach(statements::add);
    try (PreparedStatement statement = statements.prepared(connection)) {
      statement.execute();
      return statement.getUpdateCount() == 1;
    }
  }

  /// Whether a commit whose answer was lost is in the tables.
  private boolean isThere(long number) {
    return lastCommit() >= number;
  }

  /// How far the store was written, by whatever connection.
  ///
  /// @throws MemoryException `NOT_OWNER` when another owner has taken it over; every call answers
  ///   so then
  private long lastCommit() {
    try (Connection connection = pools.writer()) {
      OptionalLong last = claim.lastCommit(connection, schema);
      connection.commit();
      if (last.isEmpty()) {
        MemoryException why = claim.lost();
        refusing = why;
        throw why;
      }
      return last.getAsLong();
    } catch (SQLException e) {
      throw PgErrors.translated("while looking for the last commit", e);
    }
  }

  /// Continues after a failed write.
  ///
  /// @throws MemoryException `NOT_OWNER`, or when the database still refuses
  public void resume() {
    commitNo = lastCommit();
  }

  @Override
  public <T> T atOneMoment(Function<RowReader, T> reading) {
    checkOpen();
    try (Connection connection = pools.reader()) {
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
        connection.rollback();
      }
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

  /// Refuses everything from now on.
  public void close() {
    refusing = Rows.closed();
  }

  @Override
  public String name() {
    return claim.name();
  }
}
