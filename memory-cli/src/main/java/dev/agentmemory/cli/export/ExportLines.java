package dev.agentmemory.cli.export;

import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// The lines of an export. Each is a JSON object that begins with its kind. The first line has the
/// kind `export`, the last one `end` with the number of lines of every other kind.
final class ExportLines {

  static final int SCHEMA_VERSION = 1;

  private static final String DAMAGED = "damaged";

  private final Consumer<String> out;
  private final Optional<ExportRedaction> redaction;
  private final LongConsumer progress;
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private Optional<Consumer<JsonWriter>> first = Optional.empty();
  private long total;
  private boolean complete = true;

  /// @param out takes the lines, without their ends
  /// @param redaction empty: nothing is redacted
  /// @param progress takes the number of lines so far
  ExportLines(Consumer<String> out, Optional<ExportRedaction> redaction, LongConsumer progress) {
    this.out = out;
    this.redaction = redaction;
    this.progress = progress;
  }

  /// Begins. The first line is written with the second one, so that nothing is if there is nothing.
  void begin(Consumer<JsonWriter> fields) {
    first =
        Optional.of(json -> {
          json.number("schema_version", SCHEMA_VERSION).flag("redacted", redaction.isPresent());
          fields.accept(json);
        });
  }

  private void writeFirst() {
    first.ifPresent(fields -> write("export", fields));
    first = Optional.empty();
  }

  void add(String kind, Consumer<JsonWriter> fields) {
    writeFirst();
    write(kind, fields);
    counts.merge(kind, 1L, Long::sum);
    progress.accept(++total);
  }

  /// Reads one thing. If it is stored and cannot be read, a line says so.
  ///
  /// @return empty when there is none, or it cannot be read
  <T> Optional<T> read(String table, String id, Supplier<Optional<T>> read) {
    try {
      return read.get();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      damaged(DamagedRange.row(table, id, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /// Writes that rows could not be read.
  void damaged(DamagedRange range) {
    markIncomplete();
    add(
        DAMAGED,
        json ->
            json.text("table", range.table())
                .text("from", range.from())
                .text("to", range.to())
                .text("reason", range.reason()));
  }

  /// Notes that something that is stored is not in the lines.
  void markIncomplete() {
    complete = false;
  }

  /// Whether nothing has been found unreadable.
  boolean isComplete() {
    return complete;
  }

  /// The lines so far, the first one left out.
  long total() {
    return total;
  }

  /// Writes the last line.
  void end() {
    writeFirst();
    write(
        "end",
        json ->
            json.flag("complete", complete).object("counts", () -> counts.forEach(json::number)));
  }

  private void write(String kind, Consumer<JsonWriter> fields) {
    var bytes = new ByteArrayOutputStream();
    JsonWriter.object(
        bytes,
        /* indented= */ false,
        json -> {
          json.text("kind", kind);
          fields.accept(json);
        });
    String line = bytes.toString(StandardCharsets.UTF_8).stripTrailing();
    out.accept(redaction.map(one -> one.apply(line)).orElse(line));
  }
}
