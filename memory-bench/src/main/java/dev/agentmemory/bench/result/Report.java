package dev.agentmemory.bench.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes results: a table for people, a JSON file for programs.
///
/// ```
/// {name, value, bar, holds, unit, details: {checks: [...], rows: [...], notes: [...], processors}}
/// ```
///
/// `value`, `bar` and `unit` are those of the main check. `holds` is true when all checks hold.
public final class Report {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Report() {}

  public static String table(Result result) {
    var out = new StringBuilder();
    int width = result.rows().stream().mapToInt(row -> row.label().length()).max().orElse(0);
    String format = "  %-" + Math.max(width, 1) + "s %12s  %-9s %s%n";
    for (Result.Row row : result.rows()) {
      out.append(
          String.format(
              Locale.ROOT,
              format,
              row.label(),
              number(row.measured().median()),
              row.unit(),
              spread(row.measured())));
    }
    result.notes().forEach(note -> out.append("  - ").append(note).append(System.lineSeparator()));
    result.checks().forEach(check -> out.append(check).append(System.lineSeparator()));
    return out.toString();
  }

  private static String spread(Measured measured) {
    return measured.values().size() == 1
        ? ""
        : "(%s to %s, n=%d)"
            .formatted(number(measured.min()), number(measured.max()), measured.values().size());
  }

  public static void write(Result result, Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(result.name() + ".json"), json(result));
  }

  static String json(Result result) throws IOException {
    Check main = result.checks().getFirst();
    var json = new LinkedHashMap<String, Object>();
    json.put("name", result.name());
    json.put("value", main.value());
    json.put("bar", main.bar());
    json.put("holds", result.holds());
    json.put("unit", main.unit());
    json.put(
        "details",
        Map.of(
            "checks", result.checks().stream().map(Report::check).toList(),
            "rows", result.rows().stream().map(Report::row).toList(),
            "notes", result.notes(),
            "processors", Runtime.getRuntime().availableProcessors()));
    return JSON.writeValueAsString(json) + "\n";
  }

  private static Map<String, Object> check(Check check) {
    return Map.of(
        "name", check.name(),
        "value", check.value(),
        "unit", check.unit(),
        "direction", check.direction().name().toLowerCase(Locale.ROOT),
        "bar", check.bar(),
        "holds", check.holds());
  }

  private static Map<String, Object> row(Result.Row row) {
    List<Double> values = row.measured().values();
    return Map.of(
        "label", row.label(),
        "unit", row.unit(),
        "median", row.measured().median(),
        "values", values);
  }

  /// Three significant digits.
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
  }
}
