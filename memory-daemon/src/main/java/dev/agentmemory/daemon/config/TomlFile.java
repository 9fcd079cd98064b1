package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.engine.config.Secrets;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// Reads settings from a TOML file: what can be read, and every mistake with its line.
final class TomlFile {

  private static final long MOST_BYTES = 1 << 20;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final Path file;
  private final Map<String, SettingSource.Named> values = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<Integer> brokenLines = new HashSet<>();

  private TomlFile(Path file) {
    this.file = file;
  }

  static SettingSource read(Path file) {
    var toml = new TomlFile(file);
    toml.text().ifPresent(toml::take);
    return new SettingSource(toml.values, toml.problems);
  }

  private Optional<String> text() {
    try {
      if (Files.isDirectory(file)) {
        problems.add(file + ": is a directory; expected a TOML file");
        return Optional.empty();
      }
      if (Files.size(file) > MOST_BYTES) {
        problems.add(
            file + ": is larger than 1 MiB; expected a configuration file of at most 1 MiB");
        return Optional.empty();
      }
      String text = Files.readString(file);
      return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    } catch (CharacterCodingException e) {
      problems.add(file + ": is not UTF-8; save it in that encoding");
    } catch (IOException e) {
      problems.add(file + ": cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  private void take(String text) {
    TomlParseResult toml = Toml.parse(text);
    toml.errors().forEach(this::takeError);
    toml.keyPathSet(/* includeTables= */ true).stream()
        .sorted(Comparator.comparingInt(path -> line(toml, path)))
        // What stands in a broken line was told already, and its value is half a value.
        .filter(path -> !brokenLines.contains(line(toml, path)))
        .forEach(path -> take(toml, path));
  }

  private static int line(TomlParseResult toml, List<String> path) {
    TomlPosition position = toml.inputPositionOf(path);
    return position == null ? 0 : position.line();
  }

  private void takeError(TomlParseError error) {
    int line = error.position().line();
    brokenLines.add(line);
    String message = Secrets.hidden(String.valueOf(error.getMessage()));
    String hint =
        message.contains("expected a newline") || message.contains("a boolean")
            ? "; put text such as 30m or 64MiB in quotes"
            : "";
    problems.add(place(line) + ": " + message + hint);
  }

  private void take(TomlParseResult toml, List<String> path) {
    String key = String.join(".", path);
    Object value = Objects.requireNonNull(toml.get(path));
    // Keys of a table that holds some are told one by one.
    if (!(value instanceof TomlTable table) || (table.isEmpty() && !isTable(key))) {
      add(key, line(toml, path), value);
    }
  }

  private void add(String key, int line, Object value) {
    String place = place(line) + ": " + key;
    Optional<Setting<?>> setting = Settings.named(key);
    if (setting.isPresent() && !setting.get().form().fits(value)) {
      String expected = setting.get().form().inFile();
      problems.add(place + ": expected " + expected + ", found " + typeName(value));
      return;
    }
    var named = new SettingSource.Named(place(line), place, String.valueOf(value));
    if (values.put(key, named) != null) {
      problems.add(place + ": is set twice in this file");
    }
  }

  private static boolean isTable(String key) {
    return Settings.ALL.stream().anyMatch(setting -> setting.key().startsWith(key + "."));
  }

  private String place(int line) {
    return file + ":" + line;
  }

  private static String typeName(Object value) {
    return switch (value) {
      case String _ -> "text";
      case Long _ -> "a whole number";
      case Boolean _ -> "true or false";
      case Double _ -> "a decimal number";
      case TomlArray _ -> "a list";
      case TomlTable _ -> "a table";
      default -> "a date or time";
    };
  }
}
