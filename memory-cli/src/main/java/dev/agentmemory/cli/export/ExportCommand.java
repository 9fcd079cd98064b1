package dev.agentmemory.cli.export;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.OutputFile;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Writes everything that is stored of a session, an agent, a person, a topic, a time or a
/// workspace.
@Command(
    name = "export",
    description = {
      "Writes everything that is stored of a session, an agent, a person, a topic or a time, or of"
          + " the whole workspace.",
      "Each line is a JSON object that begins with its kind. The last line has the kind `end`; a"
          + " file without it is cut off. If something cannot be read, lines of the kinds damaged or"
          + " unreadable say what, and the exit code is 1."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "docs/privacy.md describes the lines.",
      "`memory memories export` writes what `memory memories import` reads."
    })
public final class ExportCommand implements Callable<Integer> {

  private static final String FORCE = "--force";
  private static final int PROGRESS_LINES = 500;

  private final ExportContext memory;

  @Mixin private ExportSelectors selectors = new ExportSelectors();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "File to write, which only you can read (default: standard output).")
  private Optional<Path> output = Optional.empty();

  @Option(names = FORCE, description = "Replace the file if it exists.")
  private boolean force;

  @Option(
      names = "--redact",
      description =
          "Replace every text by its length and a keyed hash, and every name and id by a keyed one,"
              + " so that the export can be given away.")
  private boolean redact;

  public ExportCommand(ExportContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    selectors.check();
    if (force && output.isEmpty()) {
      throw MemoryException.invalid(FORCE, "is given without --output; name the file to replace");
    }
    try (MemoryClient client = memory.connect()) {
      ExportLines written = output.isPresent() ? toFile(client, output.get()) : toScreen(client);
      if (written.isComplete()) {
        return ExitCodes.OK;
      }
      memory
          .screen()
          .error(
              "the export is incomplete: see its lines of the kinds damaged and unreadable, and run"
                  + " `memory doctor --deep`");
      return ExitCodes.FAILED;
    }
  }

  private ExportLines toScreen(MemoryClient client) {
    Terminal screen = memory.screen();
    ExportLines written = write(client, line -> screen.line(screen.shown(line)));
    screen.flush();
    if (screen.hasFailed()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the standard output cannot be written; check its disk or the program that reads it");
    }
    return written;
  }

  private ExportLines toFile(MemoryClient client, Path file) {
    ExportLines written = OutputFile.write(file, force, lines -> write(client, lines));
    memory.say(
        Reply.line(
            Format.count(written.total(), "line") + " written to " + file,
            json ->
                json.number("lines", written.total())
                    .flag("complete", written.isComplete())
                    .text("file", file.toString())));
    return written;
  }

  private ExportLines write(MemoryClient client, Consumer<String> lines) {
    Terminal screen = memory.screen();
    var out =
        new ExportLines(
            lines,
            redact ? Optional.of(ExportRedaction.withNewKey()) : Optional.empty(),
            count -> {
              boolean mixed = output.isEmpty() && screen.terminal();
              if (!mixed && count % PROGRESS_LINES == 0) {
                screen.progress(Format.count(count, "line") + " written");
              }
            });
    Selection selection = selectors.selection(Times.of(client), memory.now());
    new StoreExport(client, selection, out).write(memory.now(), memory::damaged);
    screen.progress("");
    return out;
  }
}
