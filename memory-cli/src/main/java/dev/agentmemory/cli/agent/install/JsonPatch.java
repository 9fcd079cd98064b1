package dev.agentmemory.cli.agent.install;

import dev.agentmemory.cli.agent.install.JsonTree.Entry;
import dev.agentmemory.cli.agent.install.JsonTree.Kind;
import dev.agentmemory.cli.terminal.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Changes JSON settings by inserting and cutting text, so that comments, order and format of
/// everything else stay as they are.
final class JsonPatch {

  private static final String UNIT = "  ";

  private String text;

  /// Tells which entries are ours.
  interface Test {

    /// @param path the names of the members above the value, and its own
    /// @param text that of the whole file
    boolean isOurs(List<String> path, JsonTree value, String text);
  }

  /// @param text one JSON object; a blank text counts as an empty one
  JsonPatch(String text) {
    this.text = text.isBlank() ? "{}\n" : text;
  }

  String text() {
    return text;
  }

  /// Whether the object below a path has a member.
  boolean has(List<String> path, String name) throws IOException {
    return JsonTree.read(text).at(path).flatMap(tree -> tree.member(name)).isPresent();
  }

  /// Adds a member at the end of the object below a path, which is created if it is missing.
  ///
  /// @param json its value, indented by two spaces a level
  /// @throws IOException when the text is not such an object
  void put(List<String> path, String name, String json) throws IOException {
    container(path, Kind.OBJECT);
    insert(path, JsonWriter.quoted(name) + ": " + json);
  }

  /// Adds an element at the end of the array below a path, which is created if it is missing.
  void append(List<String> path, String json) throws IOException {
    container(path, Kind.ARRAY);
    insert(path, json);
  }

  private void container(List<String> path, Kind kind) throws IOException {
    JsonTree root = JsonTree.read(text);
    Optional<JsonTree> found = root.at(path);
    if (found.isPresent()) {
      if (found.get().kind() != kind) {
        throw new IOException(
            (path.isEmpty() ? "the file" : "`" + String.join(".", path) + "`")
                + " is not an "
                + (kind == Kind.OBJECT ? "object" : "array"));
      }
      return;
    }
    List<String> parent = path.subList(0, path.size() - 1);
    container(parent, Kind.OBJECT);
    insert(parent, JsonWriter.quoted(path.getLast()) + ": " + (kind == Kind.OBJECT ? "{}" : "[]"));
  }

  private void insert(List<String> path, String entry) throws IOException {
    JsonTree into = JsonTree.read(text).at(path).orElseThrow();
    String line = text.contains("\r\n") ? "\r\n" : "\n";
    String own = indent(into.start());
    String written =
        entry
            .lines()
            .map(each -> indented(each, unit()))
            .collect(Collectors.joining(line + own + unit()));
    int close = into.end() - 1;
    int place = close;
    while (Character.isWhitespace(text.charAt(place - 1))) {
      place--;
    }
    String tail = text.substring(place, close).contains("\n") ? "" : line + own;
    var changed = new StringBuilder(text);
    changed.insert(place, line + own + unit() + written + tail);
    if (!into.entries().isEmpty()) {
      int end = into.entries().getLast().end();
      if (comma(end, close) < 0) {
        changed.insert(end, ",");
      }
    }
    text = changed.toString();
  }

  private static String indented(String line, String unit) {
    String rest = line.stripLeading();
    return unit.repeat((line.length() - rest.length()) / UNIT.length()) + rest;
  }

  /// Cuts out the entries that are ours, and the objects and arrays that are empty then.
  void remove(Test ours) throws IOException {
    Optional<Found> next = find(JsonTree.read(text), List.of(), ours);
    while (next.isPresent()) {
      cut(next.get());
      next = find(JsonTree.read(text), List.of(), ours);
    }
  }

  /// An entry that is cut out.
  private record Found(JsonTree container, int index) {

    Entry entry() {
      return container.entries().get(index);
    }
  }

  /// The first one; the outermost of those that would be empty without it.
  private Optional<Found> find(JsonTree tree, List<String> path, Test ours) {
    for (int i = 0; i < tree.entries().size(); i++) {
      Entry entry = tree.entries().get(i);
      List<String> here = entry.name().isEmpty() ? path : add(path, entry.name());
      if (ours.isOurs(here, entry.value(), text)) {
        return Optional.of(new Found(tree, i));
      }
      Optional<Found> below = find(entry.value(), here, ours);
      if (below.isPresent()) {
        boolean last = below.get().container().entries().size() == 1;
        // Two values in one place are the same.
        boolean direct = below.get().container().start() == entry.value().start();
        return last && direct ? Optional.of(new Found(tree, i)) : below;
      }
    }
    return Optional.empty();
  }

  private static List<String> add(List<String> path, String name) {
    var longer = new ArrayList<>(path);
    longer.add(name);
    return List.copyOf(longer);
  }

  private void cut(Found found) {
    JsonTree container = found.container();
    Entry entry = found.entry();
    boolean first = found.index() == 0;
    boolean last = found.index() == container.entries().size() - 1;
    int after = comma(entry.end(), last ? container.end() - 1 : next(found).start());
    int before =
        first ? -1 : comma(container.entries().get(found.index() - 1).end(), entry.start());
    var changed = new StringBuilder(text);
    int end = entry.end();
    if (after >= 0) {
      changed.deleteCharAt(after);
    }
    int start = entry.start();
    while (start > 0 && Character.isWhitespace(text.charAt(start - 1))) {
      start--;
    }
    changed.delete(start, end);
    if (after < 0 && before >= 0) {
      changed.deleteCharAt(before);
    }
    text = first && last ? closed(changed, container.start()) : changed.toString();
  }

  private static Entry next(Found found) {
    return found.container().entries().get(found.index() + 1);
  }

  /// Without the white space that is left in an empty object or array.
  private static String closed(StringBuilder text, int open) {
    int end = open + 1;
    while (Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    char mark = text.charAt(end);
    return mark == '}' || mark == ']' ? text.delete(open + 1, end).toString() : text.toString();
  }

  /// The place of a comma that is not in a comment; -1 when there is none.
  private int comma(int from, int to) {
    int at = from;
    while (at < to) {
      if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? to : end;
      } else if (text.startsWith("/*", at)) {
        at = text.indexOf("*/", at) + 2;
      } else if (text.charAt(at) == ',') {
        return at;
      } else {
        at++;
      }
    }
    return -1;
  }

  /// The white space at the beginning of the line of a place.
  private String indent(int at) {
    int start = text.lastIndexOf('\n', at - 1) + 1;
    int end = start;
    while (text.charAt(end) == ' ' || text.charAt(end) == '\t') {
      end++;
    }
    return text.substring(start, end);
  }

  /// What the text indents the members of its outermost object by.
  private String unit() {
    for (String line : text.split("\n", -1)) {
      String rest = line.stripLeading();
      if (rest.startsWith("\"") && rest.length() < line.length()) {
        return line.substring(0, line.length() - rest.length());
      }
    }
    return UNIT;
  }
}
