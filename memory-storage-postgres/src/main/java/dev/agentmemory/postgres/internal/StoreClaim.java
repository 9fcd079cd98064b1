package dev.agentmemory.postgres.internal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/// The right to read and write a store. Whoever opens a store takes the next epoch; each write
/// names its own, so the writes of a former owner fail in the database.
///
/// @param store its number
/// @param epoch of this owner
/// @param commitNo of the last write before it
/// @param term of the daemon that has it
record StoreClaim(String name, long store, long epoch, long commitNo, PgTerm term) {

  /// The number of a store, if there is one.
  static OptionalLong find(Connection connection, PgSchema schema, String name)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select id from %s where name = ?".formatted(schema.stores()))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /// Takes a store that no live daemon has, or makes one. Within a transaction.
  ///
  /// @throws MemoryException `NOT_OWNER` when another daemon has it
  static StoreClaim take(Connection connection, PgSchema schema, String name, PgTerm term)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into %s (name) values (?) on conflict (name) do nothing"
                .formatted(schema.stores()))) {
      statement.setString(1, name);
      statement.executeUpdate();
    }
    lock(connection, schema, name, term);
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            update %s set epoch = epoch + 1, noted = false, owner = ?, incarnation = ?
            where name = ? returning id, epoch, commit_no\
            """
                .formatted(schema.stores()))) {
      statement.setString(1, term.daemon());
      statement.setLong(2, term.incarnation());
      statement.setString(3, name);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new MemoryException(
              ErrorCode.CONFLICT,
              "the workspace %s was deleted while it was opened; send the request again"
                  .formatted(name));
        }
        return new StoreClaim(name, row.getLong(1), row.getLong(2), row.getLong(3), term);
      }
    }
  }

  /// Keeps others from taking a store until the end of the transaction.
  ///
  /// The owner's registration is looked for by a statement of its own: it is as old as the lock, so
  /// it sees every daemon that was registered before it took the store.
  ///
  /// @throws MemoryException `NOT_OWNER` when another daemon has it
  static void lock(Connection connection, PgSchema schema, String name, PgTerm term)
      throws SQLException {
    term.check();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select owner, incarnation from %s where name = ? for update"
                .formatted(schema.stores()))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next() && row.getString(1) != null && row.getLong(2) != term.incarnation()) {
          refuseIfAlive(connection, schema, name, row.getString(1), row.getLong(2));
        }
      }
    }
  }

  /// The row of a daemon that is taken for dead goes first: it cannot renew its lease any more.
  private static void refuseIfAlive(
      Connection connection, PgSchema schema, String name, String owner, long incarnation)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "delete from %s where id = ? and incarnation = ? and expires < clock_timestamp()"
                .formatted(schema.daemons()))) {
      statement.setString(1, owner);
      statement.setLong(2, incarnation);
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select place from %s where id = ? and incarnation = ?".formatted(schema.daemons()))) {
      statement.setString(1, owner);
      statement.setLong(2, incarnation);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          throw new MemoryException(
              ErrorCode.NOT_OWNER,
              "the daemon of %s has the workspace %s; ask it, or try again when it has closed it"
                  .formatted(row.getString(1), name));
        }
      }
    }
  }

  /// Gives the store up, if it is still this owner's.
  void release(Connection connection, PgSchema schema) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update %s set owner = null, incarnation = null where id = ? and epoch = ?"
                .formatted(schema.stores()))) {
      statement.setLong(1, store);
      statement.setLong(2, epoch);
      statement.executeUpdate();
    }
  }

  /// Finds out how far the store was written. This writes, too: what is only read may not have
  /// reached a standby yet.
  ///
  /// @return empty when another owner has taken the store over
  OptionalLong lastCommit(Connection connection, PgSchema schema) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update %s set commit_no = commit_no where id = ? and epoch = ? returning commit_no"
                .formatted(schema.stores()))) {
      statement.setLong(1, store);
      statement.setLong(2, epoch);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  MemoryException lost() {
    return new MemoryException(
        ErrorCode.NOT_OWNER,
        "another daemon has taken over the workspace %s; send the request again".formatted(name));
  }
}
