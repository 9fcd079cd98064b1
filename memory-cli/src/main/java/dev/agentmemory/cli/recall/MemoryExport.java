package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.OutputFile;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/// One run of `memory memories export`, which holds one line at a time. A file appears under its
/// name when it is complete.
final class MemoryExport {

  /// Of the document around the entries. Each entry has a version of its own.
  private static final int DOCUMENT_VERSION = 1;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "File to write (default: standard output).")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "jsonl",
      description =
          "One JSON object a line (jsonl), or one JSON document with all of them (json) (default:"
              + " ${DEFAULT-VALUE}).")
  private ExportFormat format = ExportFormat.JSONL;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Only what comes from this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description = "Only this scope: conversation, channel, workspace or account.")
  private Optional<MemoryScope> scope = Optional.empty();

  @Option(
      names = "--redact",
      description = "Replace the content by its kind, its length and a keyed hash.")
  private boolean redact;

  /// Values of `--format`.
  enum ExportFormat {
    JSONL,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  int run(RecallContext memory) {
    var request = new ExportRequest(MemoryNames.session("--session", session), scope, redact);
    if (output.isEmpty()) {
      Terminal screen = memory.screen();
      return memory.use(daemon ->
          write(daemon.recall().exchange(), request, line -> screen.line(screen.shown(line))));
    }
    Path file = output.get();
    return memory.ask(daemon -> {
      long entries =
          OutputFile.write(
              file,
              /* replace= */ true,
              lines -> write(daemon.recall().exchange(), request, lines));
      return Reply.line(
          Format.count(entries, "entry", "entries") + " written to " + file,
          json -> json.number("entries", entries).text("file", file.toString()));
    });
  }

  /// @return how many entries were written
  private long write(Exchange exchange, ExportRequest request, Consumer<String> lines) {
    var entries = new Entries(lines);
    switch (format) {
      case JSONL -> exchange.export(request, entries::line);
      case JSON -> {
        lines.accept("{\"schema_version\": " + DOCUMENT_VERSION + ", \"entries\": [");
        exchange.export(request, entries::element);
        entries.end();
        lines.accept("]}");
      }
    }
    return entries.count;
  }

  /// Counts the entries, and puts a comma between those of a document.
  private static final class Entries {

    private final Consumer<String> lines;
    private Optional<String> waiting = Optional.empty();
    private long count;

    Entries(Consumer<String> lines) {
      this.lines = lines;
    }

    void line(String entry) {
      count++;
      lines.accept(entry);
    }

    void element(String entry) {
      count++;
      waiting.ifPresent(before -> lines.accept(before + ","));
      waiting = Optional.of(entry);
    }

    void end() {
      waiting.ifPresent(lines);
    }
  }
}
