package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.MemoryException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads rows by statements. A scan reads pages, and holds no connection while a row is visited.
class PgReader implements RowReader {

  private static final int FIRST_PAGE = 16;
  private static final int LARGEST_PAGE = 1024;

  /// A page ends with the row that reaches so many bytes.
  private static final int PAGE_BYTES = 1 << 20;

  private static final byte[] NOTHING = new byte[0];

  private final PgSchema schema;
  private final long store;
  private final Source source;

  /// Where connections come from.
  interface Source {

    /// @throws MemoryException `CLOSED`
    <T> T read(Reading<T> reading) throws SQLException;
  }

  /// What is read with a connection.
  interface Reading<T> {
    T with(Connection connection) throws SQLException;
  }

  /// @param store the number of the store
  PgReader(PgSchema schema, long store, Source source) {
    this.schema = schema;
    this.store = store;
    this.source = source;
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    return get(table, List.of(key)).getFirst();
  }

  @Override
  public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
    Map<ByteBuffer, byte[]> found =
        read(
            table,
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      "select key, value from %s where store = ? and key = any (?)"
                          .formatted(schema.table(table)))) {
                statement.setLong(1, store);
                statement.setArray(
                    2, connection.createArrayOf("bytea", keys.toArray(byte[][]::new)));
                return values(statement);
              }
            });
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(found.get(ByteBuffer.wrap(key)));
    }
    return values;
  }

  private static Map<ByteBuffer, byte[]> values(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      Map<ByteBuffer, byte[]> found = new HashMap<>();
      while (rows.next()) {
        found.put(ByteBuffer.wrap(rows.getBytes(1)), rows.getBytes(2));
      }
      return found;
    }
  }

  @Override
  public void scan(
      Table table, byte[] from, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    byte[] next = from;
    int limit = FIRST_PAGE;
    while (true) {
      RowPage page = page(table, Order.UP, next, to, limit);
      if (!page.visit(visitor) || page.isLast(limit)) {
        return;
      }
      next = Keys.next(page.lastKey());
      limit = Math.min(4 * limit, LARGEST_PAGE);
    }
  }

  @Override
  public void scanBack(
      Table table, byte[] through, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    // The first page begins with the key itself, the others behind the last one that was visited.
    Order order = Order.DOWN_FROM;
    byte[] next = through;
    int limit = FIRST_PAGE;
    while (true) {
      RowPage page = page(table, order, next, to, limit);
      if (!page.visit(visitor) || page.isLast(limit)) {
        return;
      }
      order = Order.DOWN_BEHIND;
      next = page.lastKey();
      limit = Math.min(4 * limit, LARGEST_PAGE);
    }
  }

  /// The conditions of a page: the first parameter is where it begins, the second where it ends.
  private enum Order {
    UP("key >= ? and key < ?", "asc"),
    DOWN_FROM("key <= ? and key >= ?", "desc"),
    DOWN_BEHIND("key < ? and key >= ?", "desc");

    private final String condition;
    private final String direction;

    Order(String condition, String direction) {
      this.condition = condition;
      this.direction = direction;
    }

    /// The rows of a page up to the one that reaches the limit of bytes, and how many there are
    /// without that limit.
    String statement(String table) {
      return """
      select key, value, found from (
        select key, value, count(*) over () as found,
          sum(octet_length(value)) over (order by key %1$s) - octet_length(value) as before
        from (
          select key, value from %2$s where store = ? and %3$s order by key %1$s limit ?
        ) as page
      ) as measured where before < ? order by key %1$s\
      """
          .formatted(direction, table, condition);
    }
  }

  private RowPage page(Table table, Order order, byte[] begin, byte[] end, int limit) {
    return read(
        table,
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(order.statement(schema.table(table)))) {
            statement.setLong(1, store);
            statement.setBytes(2, begin);
            statement.setBytes(3, end);
            statement.setInt(4, limit);
            statement.setLong(5, PAGE_BYTES);
            return RowPage.of(statement);
          }
        });
  }

  /// Rows that were read together.
  ///
  /// @param found how many rows there were, some of them maybe too large for the page
  private record RowPage(List<Cursor> rows, int found) {

    static RowPage of(PreparedStatement statement) throws SQLException {
      try (ResultSet result = statement.executeQuery()) {
        List<Cursor> rows = new ArrayList<>();
        int found = 0;
        while (result.next()) {
          rows.add(Cursor.of(result.getBytes(1), result.getBytes(2)));
          found = result.getInt(3);
        }
        return new RowPage(rows, found);
      }
    }

    /// @return whether to continue
    boolean visit(Cursor.Visitor visitor) {
      for (Cursor row : rows) {
        if (!visitor.row(row)) {
          return false;
        }
      }
      return true;
    }

    boolean isLast(int limit) {
      return found < limit && rows.size() == found;
    }

    byte[] lastKey() {
      return rows.getLast().key();
    }
  }

  @Override
  public byte[] lastKey(Table table) {
    return read(
        table,
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select key from %s where store = ? order by key desc limit 1"
                      .formatted(schema.table(table)))) {
            statement.setLong(1, store);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next() ? rows.getBytes(1) : NOTHING;
            }
          }
        });
  }

  private <T> T read(Table table, Reading<T> reading) {
    try {
      return source.read(reading);
    } catch (SQLException e) {
      throw PgErrors.translated("while reading " + table.label(), e);
    }
  }
}
