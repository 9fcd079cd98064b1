package dev.agentmemory.postgres.internal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/// The right to write a store. Whoever opens a store takes the next epoch; each write names its
/// own, so the writes of a former owner fail in the database.
///
/// @param store its number
/// @param epoch of this owner
/// @param commitNo of the last write before it
public record StoreClaim(String name, long store, long epoch, long commitNo) {

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

  /// Takes a store over, or makes one.
  static StoreClaim take(Connection connection, PgSchema schema, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into %s as s (name, epoch) values (?, 1)
            on conflict (name) do update set epoch = s.epoch + 1, noted = false
            returning id, epoch, commit_no\
            """
                .formatted(schema.stores()))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new StoreClaim(name, row.getLong(1), row.getLong(2), row.getLong(3));
      }
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
