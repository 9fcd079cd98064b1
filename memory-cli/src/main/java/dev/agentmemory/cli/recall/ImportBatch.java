package dev.agentmemory.cli.recall;

import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ImportReport;
import java.util.ArrayList;
import java.util.List;

/// Lines of an import that are sent together. Their numbers follow each other.
final class ImportBatch {

  private static final int MOST_LINES = 1000;
  private static final int MOST_CHARS = 1 << 20;

  private final List<String> lines = new ArrayList<>();
  private long first;
  private int chars;
  private ImportReport report = ImportReport.NONE;

  /// Adds a line. Sends the lines before it if there are enough of them, or if lines between were
  /// left out.
  void add(long number, String line, Exchange exchange) {
    if (lines.size() == MOST_LINES
        || chars + line.length() > MOST_CHARS
        || number != first + lines.size()) {
      send(exchange);
    }
    if (lines.isEmpty()) {
      first = number;
    }
    lines.add(line);
    chars += line.length();
  }

  /// Reports a line that cannot be sent.
  void skip(long number, String problem) {
    report = report.plus(new ImportReport(0, 0, 1, List.of("line " + number + ": " + problem)));
  }

  /// Sends the lines that are left.
  void send(Exchange exchange) {
    if (!lines.isEmpty()) {
      report = report.plus(exchange.importLines(first, List.copyOf(lines)));
      lines.clear();
      chars = 0;
    }
  }

  ImportReport report() {
    return report;
  }
}
