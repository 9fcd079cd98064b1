package dev.agentmemory.bench.search;

import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Texts in a full-text table of SQLite, a usual alternative without a search engine: FTS5 with its
/// stemmer and its BM25 ranking, optimised after loading.
final class SqliteTexts implements AutoCloseable {

  /// Cache size with which the pages of the table stay in memory, like those of the other side.
  private static final String CACHE = "PRAGMA cache_size = -262144";

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  private SqliteTexts(Connection connection) throws SQLException {
    this.connection = connection;
    try (Statement statement = connection.createStatement()) {
      statement.execute(CACHE);
      statement.execute(
          "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')");
    }
    connection.setAutoCommit(false);
    this.insert = connection.prepareStatement("INSERT INTO texts(text) VALUES (?)");
    this.select =
        connection.prepareStatement(
            "SELECT rowid, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?");
  }

  /// An empty table in a new file.
  static SqliteTexts create(Path file) throws SQLException {
    return new SqliteTexts(DriverManager.getConnection("jdbc:sqlite:" + file));
  }

  void add(List<Event> events) throws SQLException {
    for (Event event : events) {
      insert.setString(1, event.text());
      insert.addBatch();
    }
    var _ = insert.executeBatch();
    connection.commit();
  }

  /// Merges the segments of the table into one, which gives the fastest searches.
  void optimize() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO texts(texts) VALUES ('optimize')");
    }
    connection.commit();
  }

  /// The best texts with any of a question's words.
  List<String> search(String question, int limit) throws SQLException {
    select.setString(1, anyOf(question));
    select.setInt(2, limit);
    var texts = new ArrayList<String>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(2));
      }
    }
    return texts;
  }

  private static String anyOf(String question) {
    return Questions.words(question).stream()
        .map(word -> '"' + word + '"')
        .collect(Collectors.joining(" OR "));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
