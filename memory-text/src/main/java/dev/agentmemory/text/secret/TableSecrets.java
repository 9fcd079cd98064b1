package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds the values below telling names at the heads of columns: in what databases and Markdown put
/// out, in lines with commas, semicolons, tabs or at least two spaces, and in `INSERT INTO x (a,
/// password) VALUES ('b', 'X')`.
///
/// What is read ahead has a bounded length unless it is masked: rows are read as long as they have
/// secrets.
final class TableSecrets {

  private static final Set<String> USERS =
      Set.of("user", "username", "user name", "login", "email", "e-mail", "account", "benutzer");

  private static final String COPIED = "from stdin";
  private static final String GAP = "  ";
  private static final String AROUND = " \"'`";
  private static final String ENDS = "|,;\t\r\n)";
  private static final int LONGEST_HEAD = 400;
  private static final int LONGEST_NAME = 40;
  private static final int LONGEST_ROW = 1_000;
  private static final int MOST_ROWS = 1_000;

  /// Rows in succession in which nothing is a secret, such as lines between head and values.
  private static final int MOST_OTHERS = 3;

  private final String text;
  private final SecretNames names;
  private final List<Secret> found = new ArrayList<>();

  /// What each column is named for; none where its values are no secrets.
  private final List<SecretName> columns = new ArrayList<>();

  /// Whether a column has the names of users.
  private boolean ofUsers;

  private TableSecrets(String text, SecretNames names) {
    this.text = text;
    this.names = names;
  }

  private record Cell(int start, int end) {}

  /// @param end index after a word
  /// @return the secrets in the order of the text; empty if the word ends no head of a column
  static List<Secret> find(String text, SecretNames names, int end) {
    int after = Letters.skip(text, end, AROUND + "*", 8);
    if (after < text.length()
        && ENDS.indexOf(text.charAt(after)) < 0
        && !text.startsWith(GAP, end)) {
      return List.of();
    }
    var table = new TableSecrets(text, names);
    int start = table.lineStart(end);
    int open = end;
    while (open >= start && Letters.at(text, open) != '(') {
      open--;
    }
    if (open >= start) {
      table.inserted(open, end);
    } else if (start == 0 || text.charAt(start - 1) == '\n') {
      table.rows(start, end);
    }
    return table.found;
  }

  private int lineStart(int from) {
    int least = Math.max(0, from - LONGEST_HEAD);
    int at = from;
    while (at > least && text.charAt(at - 1) != '\n') {
      at--;
    }
    return at;
  }

  /// The index of the end of a line; -1 if it is longer than a row may be.
  private int lineEnd(int from) {
    int limit = Math.min(text.length(), from + LONGEST_ROW);
    int end = text.indexOf('\n', from, limit);
    return end >= 0 ? end : limit == text.length() ? limit : -1;
  }

  private void rows(int start, int name) {
    int end = lineEnd(start);
    if (end < 0 || end - start > LONGEST_HEAD) {
      return;
    }
    char mark = mark(start, end);
    List<Cell> heads = mark == 0 ? List.of() : cells(start, end, mark);
    if (heads.isEmpty() || (mark == ' ' && !isTitled(heads)) || !isHead(heads, name)) {
      return;
    }
    below(end, mark);
  }

  /// @param head index of the end of the head
  private void below(int head, char mark) {
    int end = head;
    int others = 0;
    for (int row = 0; row < MOST_ROWS && others <= MOST_OTHERS && end < text.length(); row++) {
      int from = end + 1;
      end = lineEnd(from);
      if (end < 0) {
        return;
      }
      List<Cell> cells = isRule(from, end) ? List.of() : cells(from, end, mark);
      others = cells.size() == columns.size() && take(cells) ? 0 : others + 1;
    }
  }

  /// Whether each head begins with a capital, as those of columns do that only spaces divide.
  private boolean isTitled(List<Cell> heads) {
    return heads.stream()
        .allMatch(head -> head.end() > head.start() && Letters.isUpper(text.charAt(head.start())));
  }

  /// What divides the columns of a line, where a space stands for two or more; 0 if nothing does.
  private char mark(int start, int end) {
    for (char mark : new char[] {'|', '\t', ';', ','}) {
      if (text.indexOf(mark, start, end) >= 0) {
        return mark;
      }
    }
    return text.substring(start, end).strip().contains(GAP) ? ' ' : 0;
  }

  /// Whether a line is one between rows: `+----+`, `|---|`.
  private boolean isRule(int start, int end) {
    return text.substring(start, end).chars().allMatch(c -> "-+|=: \r".indexOf(c) >= 0);
  }

  /// Names the columns.
  ///
  /// @param name index after the word that was read; what tells is not before it, so that a head is
  ///   read once
  private boolean isHead(List<Cell> cells, int name) {
    boolean telling = false;
    for (Cell cell : cells) {
      String head = text.substring(cell.start(), cell.end());
      if (head.length() > LONGEST_NAME || !isName(head)) {
        return false;
      }
      SecretName column =
          head.isEmpty()
              ? SecretName.NONE
              : names.find(text, cell.start(), cell.end(), joint(cell));
      if (column.found() && !telling && cell.end() != name) {
        return false;
      }
      telling |= column.found();
      ofUsers |= USERS.contains(head.toLowerCase(Locale.ROOT));
      columns.add(column);
    }
    return telling && cells.size() > 1;
  }

  /// The index of the last `_` or `-` of a head; -1 if it has none.
  private int joint(Cell head) {
    int at = head.end() - 1;
    while (at >= head.start() && text.charAt(at) != '_' && text.charAt(at) != '-') {
      at--;
    }
    return at < head.start() ? -1 : at;
  }

  private static boolean isName(String head) {
    return head.split(" ", -1).length <= 3
        && head.chars().allMatch(c -> Letters.isWord((char) c) || " -.".indexOf(c) >= 0);
  }

  /// `(a, password) VALUES ('b', 'X'), ('c', 'Y')`, and `(a, password) FROM stdin` above lines with
  /// tabs.
  private void inserted(int open, int name) {
    int close = text.indexOf(')', name, Math.min(text.length(), name + LONGEST_HEAD));
    int values = close < 0 ? 0 : Letters.skip(text, close + 1, " \t\r\n", 40);
    if (values > 0 && text.regionMatches(true, values, COPIED, 0, COPIED.length())) {
      int end = lineEnd(values);
      if (end > 0 && isHead(cells(open + 1, close, ','), name)) {
        below(end, '\t');
      }
      return;
    }
    if (values == 0
        || !text.regionMatches(true, values, "values", 0, 6)
        || !isHead(cells(open + 1, close, ','), name)) {
      return;
    }
    int at = Letters.skip(text, values + 6, " \t\r\n", 40);
    int others = 0;
    for (int row = 0; row < MOST_ROWS && others <= MOST_OTHERS; row++) {
      int end = Letters.at(text, at) == '(' ? rowEnd(at + 1) : -1;
      if (end < 0) {
        return;
      }
      List<Cell> cells = cells(at + 1, end, ',');
      others = cells.size() == columns.size() && take(cells) ? 0 : others + 1;
      at = Letters.skip(text, end + 1, ", \t\r\n", 40);
    }
  }

  /// The index of the bracket that closes a row; -1 if there is none.
  private int rowEnd(int from) {
    int limit = Math.min(text.length(), from + LONGEST_ROW);
    char quote = 0;
    for (int at = from; at < limit; at++) {
      char c = text.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ')') {
        return at;
      }
    }
    return -1;
  }

  /// The cells of a row, without the spaces and quotes around them.
  private List<Cell> cells(int start, int end, char mark) {
    if (mark == ' ') {
      return spaced(start, end);
    }
    var cells = new ArrayList<Cell>();
    int from = start;
    char quote = 0;
    for (int at = start; at <= end; at++) {
      char c = at == end ? mark : text.charAt(at);
      if (quote != 0 && at < end) {
        quote = c == quote ? 0 : quote;
      } else if (c == mark) {
        cells.add(trimmed(from, at));
        from = at + 1;
      } else if (c == '"' || (c == '\'' && mark == ',')) {
        quote = c;
      }
    }
    return cells;
  }

  /// The cells of a row that two or more spaces divide.
  private List<Cell> spaced(int start, int end) {
    var cells = new ArrayList<Cell>();
    int from = Letters.skip(text, start, " ", end - start);
    while (from < end) {
      int stop = text.indexOf(GAP, from, end);
      stop = stop < 0 ? end : stop;
      cells.add(trimmed(from, stop));
      from = Letters.skip(text, stop, " \r", end - stop);
    }
    return cells;
  }

  private Cell trimmed(int start, int end) {
    int from = start;
    int stop = end;
    while (from < stop && isAround(from)) {
      from++;
    }
    while (stop > from && isAround(stop - 1)) {
      stop--;
    }
    if (stop > from + 2 && text.charAt(from) == '*' && text.charAt(stop - 1) == '*') {
      from = Letters.skip(text, from, "*", 2);
      while (stop > from && text.charAt(stop - 1) == '*') {
        stop--;
      }
    }
    return new Cell(from, stop);
  }

  private boolean isAround(int at) {
    return AROUND.indexOf(text.charAt(at)) >= 0 || text.charAt(at) <= ' ';
  }

  /// Whether a word is a password because a column beside it names its user.
  private boolean isCertain(SecretName name, String value) {
    return ofUsers
        && name.value() == SecretName.Value.ANY
        && value.indexOf(' ') < 0
        && SecretValues.isSecretBare(value, name.value(), false, true)
        && !SecretValues.isCommon(value);
  }

  /// Whether a row has secrets. A mask counts as one.
  private boolean take(List<Cell> cells) {
    boolean some = false;
    for (int i = 0; i < cells.size(); i++) {
      SecretName name = columns.get(i);
      Cell cell = cells.get(i);
      if (!name.found() || cell.end() == cell.start()) {
        continue;
      }
      String value = text.substring(cell.start(), cell.end());
      if (SecretValues.isTold(value, name.value()) || isCertain(name, value)) {
        found.add(new Secret(cell.start(), cell.end(), name.kind()));
        some = true;
      }
      some |= value.startsWith(SecretMask.MASKED);
    }
    return some;
  }
}
