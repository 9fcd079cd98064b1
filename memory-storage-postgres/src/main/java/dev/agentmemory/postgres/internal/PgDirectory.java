package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The table `stores`: which there are, what is noted of them, and their deletion.
public record PgDirectory(PgPools pools, PgSchema schema) {

  /// No store is opened by a name that begins so.
  private static final String DELETED = "@deleted-";

  /// Rows that are deleted in one transaction, which has to end before the timeout of statements.
  private static final int AT_ONCE = 5_000;

  private interface Work<T> {

    T with(Connection connection) throws SQLException;
  }

  private <T> T reading(String doing, Work<T> work) {
    try (Connection connection = pools.reader()) {
      return work.with(connection);
    } catch (SQLException e) {
      throw PgErrors.translated(doing, e);
    }
  }

  private <T> T writing(String doing, Work<T> work) {
    try (Connection connection = pools.writer()) {
      try {
        T done = work.with(connection);
        connection.commit();
        return done;
      } catch (MemoryException e) {
        connection.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw PgErrors.translated(doing, e);
    }
  }

  /// The names of all stores, but not of those that are being deleted.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public List<String> names() {
    return named("not starts_with(name, '%s')".formatted(DELETED));
  }

  private List<String> named(String condition) {
    return reading(
        "while listing the stores",
        connection -> {
          var names = new ArrayList<String>();
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      "select name from %s where %s".formatted(schema.stores(), condition));
              ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              names.add(rows.getString(1));
            }
          }
          return names;
        });
  }

  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public boolean has(String name) {
    return reading(
        "while looking for the store " + name,
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select 1 from %s where name = ?".formatted(schema.stores()))) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
              return row.next();
            }
          }
        });
  }

  /// The note of a store that was closed and not opened since.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public Optional<StoreNote> note(String name) {
    return reading(
        "while looking for the store " + name,
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select used_at, events, sessions, due_at from %s where name = ? and noted"
                      .formatted(schema.stores()))) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
              return row.next()
                  ? Optional.of(
                      new StoreNote(time(row, 1), row.getLong(2), row.getLong(3), time(row, 4)))
                  : Optional.empty();
            }
          }
        });
  }

  private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /// Notes something of a closed store, unless another owner has taken it over since.
  ///
  /// @param epoch of the owner that has closed it
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public void note(String name, long epoch, StoreNote note) {
    int _ =
        writing(
            "while closing the store " + name,
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      update %s set noted = true, used_at = ?, events = ?, sessions = ?, due_at = ?
                      where name = ? and epoch = ?\
                      """
                          .formatted(schema.stores()))) {
                set(statement, 1, note.lastUsed());
                statement.setLong(2, note.events());
                statement.setLong(3, note.sessions());
                set(statement, 4, note.due());
                statement.setString(5, name);
                statement.setLong(6, epoch);
                return statement.executeUpdate();
              }
            });
  }

  private static void set(PreparedStatement statement, int parameter, Optional<Instant> time)
      throws SQLException {
    if (time.isPresent()) {
      statement.setLong(parameter, time.get().toEpochMilli());
    } else {
      statement.setNull(parameter, Types.BIGINT);
    }
  }

  /// Deletes a store, if there is one. Its name is given up first, and its owner is fenced; then
  /// its rows go, some at a time.
  ///
  /// @param lease of the daemon that deletes it
  /// @throws MemoryException `NOT_OWNER` when another daemon has it, `STORAGE_FAILED` when the
  ///   database refuses
  public void delete(String name, PgLease lease) {
    int _ =
        writing(
            "while deleting the store " + name,
            connection -> {
              StoreClaim.lock(connection, schema, name, lease.term());
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      update %s set name = '%s' || id, epoch = epoch + 1, noted = false
                      where name = ?\
                      """
                          .formatted(schema.stores(), DELETED))) {
                statement.setString(1, name);
                return statement.executeUpdate();
              }
            });
    finishDeletions();
  }

  /// Deletes what is left of stores whose names were given up, also of deletions that another
  /// process has begun.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the database refuses
  public void finishDeletions() {
    for (String deleted : named("starts_with(name, '%s')".formatted(DELETED))) {
      long store = Long.parseLong(deleted.substring(DELETED.length()));
      boolean there = true;
      while (there) {
        there = writing("while deleting a store", connection -> isLeft(connection, store));
      }
    }
  }

  /// Deletes some rows of a store, or the store itself when it has none. Its row is locked
  /// meanwhile: two processes that finish one deletion take turns, so that none of them takes the
  /// rows that the other one is deleting for deleted.
  ///
  /// @return whether something of it may be left
  private boolean isLeft(Connection connection, long store) throws SQLException {
    if (changed(connection, "update %s set noted = false where id = ?", store) == 0) {
      return false;
    }
    for (Table table : Table.values()) {
      String some =
          "delete from %1$s where (store, key) in (select store, key from %1$s where store = ? limit %2$d)"
              .formatted(schema.table(table), AT_ONCE);
      if (changed(connection, some, store) > 0) {
        return true;
      }
    }
    return changed(connection, "delete from %s where id = ?", store) == 0;
  }

  /// @param sql with the name of the table of stores left out, and the number of the store as its
  ///   parameter
  private int changed(Connection connection, String sql, long store) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(sql.formatted(schema.stores()))) {
      statement.setLong(1, store);
      return statement.executeUpdate();
    }
  }
}
