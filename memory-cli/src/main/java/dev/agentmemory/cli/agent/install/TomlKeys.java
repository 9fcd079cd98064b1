package dev.agentmemory.cli.agent.install;

import java.util.ArrayList;
import java.util.List;

/// The keys that a TOML text sets, in whatever form: as tables, dotted or quoted, or in an inline
/// table. Of values it finds only where they end. A text with mistakes is read as far as it goes.
final class TomlKeys {

  private final String text;
  private final List<TomlKey> found = new ArrayList<>();
  private int at;

  private TomlKeys(String text) {
    this.text = text;
  }

  /// A key.
  ///
  /// @param path the names of the tables around it, and its own
  /// @param isTable whether it begins a table, to which a later one can add another table
  record TomlKey(List<String> path, boolean isTable) {

    TomlKey {
      path = List.copyOf(path);
    }

    /// Whether it is that of a table or below it.
    boolean isWithin(List<String> table) {
      return path.size() >= table.size() && path.subList(0, table.size()).equals(table);
    }
  }

  /// In the order of the text.
  static List<TomlKey> of(String text) {
    var keys = new TomlKeys(text);
    keys.document();
    return List.copyOf(keys.found);
  }

  private void document() {
    List<String> table = List.of();
    skip("\uFEFF \t\r\n");
    while (at < text.length()) {
      if (is('[')) {
        skip("[");
        table = path(List.of());
        found.add(new TomlKey(table, /* isTable= */ true));
      } else if (!is('#')) {
        pair(table);
      }
      toLineEnd();
      skip(" \t\r\n");
    }
  }

  private void pair(List<String> table) {
    List<String> path = path(table);
    found.add(new TomlKey(path, /* isTable= */ false));
    if (is('=')) {
      at++;
      value(path);
    }
  }

  /// A key with dots.
  private List<String> path(List<String> table) {
    List<String> path = new ArrayList<>(table);
    boolean more = true;
    while (more) {
      skip(" \t");
      path.add(is('"') || is('\'') ? string() : bare(" \t.=]}#\r\n"));
      skip(" \t");
      more = is('.');
      at += more ? 1 : 0;
    }
    return path;
  }

  private void value(List<String> path) {
    skip(" \t");
    if (is('"') || is('\'')) {
      string();
    } else if (is('[')) {
      at++;
      for (nextEntry(); at < text.length() && !is(']'); nextEntry()) {
        int before = at;
        value(path);
        // A character that begins no value.
        at += at == before ? 1 : 0;
      }
      at++;
    } else if (is('{')) {
      at++;
      for (nextEntry(); at < text.length() && !is('}'); nextEntry()) {
        int before = at;
        pair(path);
        at += at == before ? 1 : 0;
      }
      at++;
    } else {
      bare(",]}#\r\n");
    }
  }

  /// Goes to the next entry of an array or of an inline table, or to its end.
  private void nextEntry() {
    skip(" \t\r\n,");
    while (is('#')) {
      toLineEnd();
      skip(" \t\r\n,");
    }
  }

  private String bare(String ends) {
    int start = at;
    while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  /// A string, on one line or on several.
  private String string() {
    char quote = text.charAt(at);
    String three = String.valueOf(quote).repeat(3);
    String close = text.startsWith(three, at) ? three : String.valueOf(quote);
    at += close.length();
    var content = new StringBuilder();
    while (at < text.length() && !text.startsWith(close, at)) {
      if (close.length() == 1 && is('\n')) {
        // It lacks its end.
        return content.toString();
      }
      // Of what can be escaped, names have these two.
      boolean escaped = quote == '"' && is('\\') && at + 1 < text.length();
      at += escaped ? 1 : 0;
      content.append(text.charAt(at));
      at++;
    }
    at += close.length();
    // Quotes may stand directly before the end of one on several lines.
    while (close.length() == 3 && is(quote)) {
      at++;
    }
    return content.toString();
  }

  private boolean is(char wanted) {
    return at < text.length() && text.charAt(at) == wanted;
  }

  private void skip(String characters) {
    while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void toLineEnd() {
    while (at < text.length() && !is('\n')) {
      at++;
    }
  }
}
