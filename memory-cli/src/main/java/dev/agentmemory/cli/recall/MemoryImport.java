package dev.agentmemory.cli.recall;

import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.cli.ingest.LineReader;
import dev.agentmemory.cli.ingest.LineReader.Line;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.FileErrors;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/// One run of `memory memories import`, which holds one batch of lines at a time.
final class MemoryImport {

  @Parameters(paramLabel = "FILE", description = "File to read, or - for standard input.")
  private Path file = Path.of(TextInput.INPUT);

  int run(RecallContext memory) {
    var batch = new ImportBatch();
    int code =
        memory.ask(daemon -> {
          try (InputStream in = open(memory)) {
            read(in, batch, daemon.recall().exchange());
          } catch (IOException e) {
            throw FileErrors.of(e);
          }
          return new Imported(batch.report());
        });
    return batch.report().skipped() > 0 ? ExitCodes.REFUSED : code;
  }

  private InputStream open(RecallContext memory) throws IOException {
    if (file.toString().equals(TextInput.INPUT)) {
      return memory.input();
    }
    if (Files.isDirectory(file)) {
      throw new MemoryException(ErrorCode.CONFLICT, file + " is a directory; give a file");
    }
    return Files.newInputStream(file);
  }

  /// A document begins with a line that is not an object by itself.
  private static void read(InputStream in, ImportBatch batch, Exchange exchange)
      throws IOException {
    var lines = new LineReader(in);
    Optional<Line> line = lines.next();
    while (line.isPresent() && isBlank(line.get())) {
      line = lines.next();
    }
    if (line.isPresent()
        && line.get() instanceof Line.Text(long _, String first)
        && ExportDocument.isStart(first)) {
      String head = first + "\n";
      InputStream rest = lines.rest();
      ExportDocument.read(
          new SequenceInputStream(
              new ByteArrayInputStream(head.getBytes(StandardCharsets.UTF_8)), rest),
          (number, entry) -> batch.add(number, entry, exchange));
    } else {
      while (line.isPresent()) {
        take(line.get(), batch, exchange);
        line = lines.next();
      }
    }
    batch.send(exchange);
  }

  private static boolean isBlank(Line line) {
    return line instanceof Line.Text(long _, String text) && text.isBlank();
  }

  private static void take(Line line, ImportBatch batch, Exchange exchange) {
    switch (line) {
      case Line.Text(long number, String text) -> {
        if (!text.isBlank()) {
          batch.add(number, text, exchange);
        }
      }
      case Line.Unreadable(long number, String problem) -> batch.skip(number, problem);
    }
  }

  private record Imported(ImportReport report) implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.line(
          "%,d imported, %,d known, %,d skipped"
              .formatted(report.imported(), report.known(), report.skipped()));
      List<String> reasons = report.reasons();
      reasons.forEach(screen::error);
      long unlisted = report.skipped() - reasons.size();
      if (unlisted > 0) {
        screen.error(Format.count(unlisted, "more line") + " skipped and not listed");
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.number("imported", report.imported())
          .number("known", report.known())
          .number("skipped", report.skipped())
          .texts("reasons", report.reasons());
    }
  }
}
