package dev.agentmemory.cli.agent.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.cli.agent.install.TomlKeys.TomlKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// What an installation puts into one file.
sealed interface SettingsEdit {

  Path file();

  /// A text with our entries.
  ///
  /// @param text one without them; empty when there is no file
  /// @throws IOException with the reason when the text is not what the agent would read
  String with(String text) throws IOException;

  /// A text without our entries.
  String without(String text) throws IOException;

  /// Whether a text without our entries is what an installation into no file leaves behind.
  boolean isBare(String text);

  /// Whether our entries are in a text.
  default boolean isIn(String text) {
    try {
      return !without(text).equals(text);
    } catch (IOException e) {
      return false;
    }
  }

  /// Entries of a JSON file.
  record JsonEdit(Path file, List<JsonEntry> entries) implements SettingsEdit {

    public JsonEdit {
      entries = List.copyOf(entries);
    }

    @Override
    public String with(String text) throws IOException {
      var patch = new JsonPatch(unmarked(text));
      for (JsonEntry entry : entries) {
        entry.add(patch);
      }
      return mark(text) + patch.text();
    }

    @Override
    public String without(String text) throws IOException {
      if (unmarked(text).isBlank()) {
        return text;
      }
      var patch = new JsonPatch(unmarked(text));
      patch.remove(
          (path, value, all) -> entries.stream().anyMatch(entry -> entry.isOurs(path, value, all)));
      return mark(text) + patch.text();
    }

    @Override
    public boolean isBare(String text) {
      String rest = unmarked(text).replaceAll("\\s", "");
      return rest.isEmpty() || rest.equals("{}") || rest.equals("{\"version\":1}");
    }

    private static String mark(String text) {
      return text.startsWith("\uFEFF") ? "\uFEFF" : "";
    }

    private static String unmarked(String text) {
      return text.substring(mark(text).length());
    }
  }

  /// One entry of a JSON file.
  sealed interface JsonEntry {

    void add(JsonPatch patch) throws IOException;

    boolean isOurs(List<String> path, JsonTree value, String text);
  }

  /// A member of an object. It replaces nothing.
  ///
  /// @param marks texts that our value contains, whichever version wrote it
  record Member(List<String> path, String name, JsonNode value, List<String> marks)
      implements JsonEntry {

    public Member {
      path = List.copyOf(path);
      marks = List.copyOf(marks);
    }

    @Override
    public void add(JsonPatch patch) throws IOException {
      if (patch.has(path, name)) {
        throw new IOException(
            "`%s` has an entry `%s` that agent-memory did not write; rename or remove it"
                .formatted(String.join(".", path), name));
      }
      patch.put(path, name, SettingsJson.pretty(value));
    }

    @Override
    public boolean isOurs(List<String> at, JsonTree found, String text) {
      return at.size() == path.size() + 1
          && at.subList(0, path.size()).equals(path)
          && at.getLast().equals(name)
          && marks.stream().allMatch(found.in(text)::contains);
    }
  }

  /// A member that files of this agent have once, such as their version; ours or not, it stays.
  record Once(String name, JsonNode value) implements JsonEntry {

    @Override
    public void add(JsonPatch patch) throws IOException {
      if (!patch.has(List.of(), name)) {
        patch.put(List.of(), name, SettingsJson.pretty(value));
      }
    }

    @Override
    public boolean isOurs(List<String> at, JsonTree found, String text) {
      return false;
    }
  }

  /// An element of an array: a hook.
  ///
  /// @param command matches the text of our commands of this agent
  record Hook(List<String> path, JsonNode value, Pattern command) implements JsonEntry {

    @Override
    public void add(JsonPatch patch) throws IOException {
      patch.append(path, SettingsJson.pretty(value));
    }

    /// A hook of somebody else may be in the same group, so only the handler itself is ours.
    @Override
    public boolean isOurs(List<String> at, JsonTree found, String text) {
      return found.kind() == JsonTree.Kind.OBJECT
          && found.entries().stream()
              .filter(entry -> entry.name().equals("command") || entry.name().equals("bash"))
              .anyMatch(entry -> command.matcher(entry.value().in(text)).find());
    }
  }

  /// Lines of a TOML file between two marks. They are added at its end, so they change the meaning
  /// of nothing before them.
  ///
  /// @param table its path
  record TomlBlock(Path file, List<String> table, List<String> lines) implements SettingsEdit {

    private static final String BEGIN = "# agent-memory: begin; `memory uninstall` removes it";
    private static final String END = "# agent-memory: end";

    public TomlBlock {
      table = List.copyOf(table);
      lines = List.copyOf(lines);
    }

    @Override
    public String with(String text) throws IOException {
      List<TomlKey> keys = TomlKeys.of(text);
      if (keys.stream().anyMatch(key -> key.isWithin(table))) {
        throw new IOException(
            "there is a table [%s] that agent-memory did not write; rename or remove it"
                .formatted(name()));
      }
      if (keys.stream().anyMatch(key -> !key.isTable() && isAround(key.path()))) {
        throw new IOException(
            "its tables around [%s] are inline, so none can be added; write them as tables"
                .formatted(name()));
      }
      String end = text.contains("\r\n") ? "\r\n" : "\n";
      String gap = text.isEmpty() ? "" : text.endsWith("\n") ? end : end + end;
      String block = String.join(end, lines);
      return text + gap + String.join(end, BEGIN, "[" + name() + "]", block, END) + end;
    }

    private String name() {
      return String.join(".", table);
    }

    private boolean isAround(List<String> path) {
      return path.size() < table.size() && table.subList(0, path.size()).equals(path);
    }

    @Override
    public String without(String text) {
      int begin = text.indexOf(BEGIN);
      int end = text.indexOf(END, Math.max(begin, 0));
      if (begin < 0 || end < 0) {
        return text;
      }
      String before = text.substring(0, begin);
      String after = text.substring(end + END.length()).replaceFirst("^\r?\n", "");
      return before.replaceFirst("\r?\n$", "") + after;
    }

    @Override
    public boolean isBare(String text) {
      return text.isBlank();
    }
  }

  /// A file that is ours as a whole.
  ///
  /// @param mark a text that all of its versions contain
  record OwnFile(Path file, String text, String mark) implements SettingsEdit {

    @Override
    public String with(String found) throws IOException {
      if (!found.isEmpty()) {
        throw new IOException("agent-memory did not write it; rename or remove it");
      }
      return text;
    }

    @Override
    public String without(String found) {
      return found.contains(mark) ? "" : found;
    }

    @Override
    public boolean isBare(String found) {
      return found.isEmpty();
    }
  }
}
