package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.rows.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// The tables of all stores: one for each [Table], `stores`, which says whose rows are whose, and
/// `daemons`, which says who lives.
///
/// ```
/// stores    id bigint, name text unique, epoch bigint, commit_no bigint, owner, and the note of a closed store
/// daemons   id text, incarnation bigint, place text, expires timestamptz
/// events    store bigint, key bytea, value bytea, primary key (store, key)     and so on
/// ```
///
/// The order of `bytea` is that of its unsigned bytes, whatever the collation of the database.
public record PgSchema(String name) {

  /// Parts of a table, by the store, so that no index becomes deeper with the number of stores.
  private static final int PARTS = 8;

  /// Two processes that make the schema at the same time wait for each other.
  private static final long LOCK = 0x6d656d6f7279L;

  /// Name of a table in a statement.
  String table(Table table) {
    return "%s.%s".formatted(name, table.label());
  }

  String stores() {
    return name + ".stores";
  }

  String daemons() {
    return name + ".daemons";
  }

  /// Makes what does not exist.
  public void create(Connection connection) throws SQLException {
    boolean former = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(%d)".formatted(LOCK));
      statement.execute("create schema if not exists " + name);
      statement.execute(
          """
          create table if not exists %s (
            id bigint generated always as identity primary key,
            name text not null unique,
            epoch bigint not null default 0,
            commit_no bigint not null default 0,
            noted boolean not null default false,
            used_at bigint,
            events bigint not null default 0,
            sessions bigint not null default 0,
            due_at bigint,
            owner text,
            incarnation bigint
          )\
          """
              .formatted(stores()));
      statement.execute(
          """
          create table if not exists %s (
            id text primary key,
            incarnation bigint generated always as identity,
            place text not null,
            expires timestamptz not null
          )\
          """
              .formatted(daemons()));
      for (Table table : Table.values()) {
        create(statement, table);
      }
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(former);
    }
  }

  /// Values hold NUL, which `text` refuses.
  private void create(Statement statement, Table table) throws SQLException {
    statement.execute(
        """
        create table if not exists %s (
          store bigint not null,
          key bytea not null,
          value bytea not null,
          primary key (store, key)
        ) partition by hash (store)\
        """
            .formatted(table(table)));
    for (int part = 0; part < PARTS; part++) {
      statement.execute(
          "create table if not exists %s_%d partition of %s for values with (modulus %d, remainder %d)"
              .formatted(table(table), part, table(table), PARTS, part));
    }
  }
}
