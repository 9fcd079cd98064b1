package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.rows.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// The statements of one batch. The driver sends several of them, with their parameters, as one
/// message.
final class PgStatements {

  private final PgSchema schema;
  private final long store;
  private final StringJoiner text = new StringJoiner(";\n");
  private final List<Parameter> parameters = new ArrayList<>();

  private interface Parameter {
    void set(PreparedStatement statement, int at) throws SQLException;
  }

  PgStatements(PgSchema schema, long store) {
    this.schema = schema;
    this.store = store;
  }

  /// Counts a commit, if the owner has this epoch and every earlier commit was written. Otherwise
  /// it fails with a division by zero, so that the statements behind it are not executed: they
  /// would lock rows of the owner.
  void fence(long epoch, long commitNo) {
    text.add(
        """
        with counted as (
          update %s set commit_no = ? where id = ? and epoch = ? and commit_no = ? returning 1
        ) select 1 / count(*) from counted\
        """
            .formatted(schema.stores()));
    number(commitNo);
    number(store);
    number(epoch);
    number(commitNo - 1);
  }

  /// At most two statements, and one for each range.
  void add(Table table, PgBatch.Changes changes) {
    for (byte[][] range : changes.ranges()) {
      text.add(
          "delete from %s where store = ? and key >= ? and key < ?".formatted(schema.table(table)));
      number(store);
      bytes(range[0]);
      bytes(range[1]);
    }
    byte[][] deleted = changes.deleted();
    if (deleted.length > 0) {
      text.add("delete from %s where store = ? and key = any (?)".formatted(schema.table(table)));
      number(store);
      array(deleted);
    }
    byte[][] keys = changes.putKeys();
    if (keys.length > 0) {
      text.add(
          """
          insert into %s (store, key, value)
          select ?, put.key, put.value from unnest(?::bytea[], ?::bytea[]) as put (key, value)
          on conflict (store, key) do update set value = excluded.value\
          """
              .formatted(schema.table(table)));
      number(store);
      array(keys);
      array(changes.putValues());
    }
  }

  private void number(long value) {
    parameters.add((statement, at) -> statement.setLong(at, value));
  }

  private void bytes(byte[] value) {
    parameters.add((statement, at) -> statement.setBytes(at, value));
  }

  private void array(byte[][] values) {
    parameters.add((statement, at) ->
        statement.setArray(at, statement.getConnection().createArrayOf("bytea", values)));
  }

  /// All statements as one, with their parameters.
  PreparedStatement prepared(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text.toString());
    try {
      for (int i = 0; i < parameters.size(); i++) {
        parameters.get(i).set(statement, i + 1);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }
}
