package dev.agentmemory.cli;

import dev.agentmemory.cli.ingest.IngestRun;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.FileErrors;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Sends events to the daemon.
@Command(
    name = "ingest",
    description = {
      "Stores events from JSON Lines, one event per line. Acknowledged events are on disk.",
      "A line that cannot be stored is skipped and reported with its line number, and the exit code"
          + " is 4. Sending the same file again changes nothing."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A line:  {\"session_id\": \"s1\", \"timestamp\": \"2026-01-30T14:30:00Z\",",
      "          \"event_type\": \"user_message\", \"text\": \"Hello\"}",
      "Fields:  session_id    id of the conversation; required",
      "         timestamp     when it happened, as above or in milliseconds since 1970;",
      "                       required, also as timestamp_ms",
      "         event_type    session_start, user_message (default), assistant_message,",
      "                       tool_result, assistant_stop, subagent_start, subagent_stop,",
      "                       session_end",
      "         role          user, assistant, system, tool; default: derived from event_type",
      "         text          the text of the event",
      "         metadata      an object of strings, such as {\"tool\": \"Bash\"}",
      "         agent         the agent that sent it, such as claude",
      "         event_id      a ULID; default: derived from the content",
      "         position      a number from 1 that orders events of the same session and time;",
      "                       default: the line number in FILE",
      "         tool_name     name of a tool; stored in metadata as tool",
      "Field names and types also accept other spellings: sessionId, UserMessage."
    })
final class IngestCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(paramLabel = "FILE", description = "File to read, or - for standard input.")
  private Path file = Path.of("-");

  @Option(
      names = "--strict",
      description =
          "Stop at the first line that cannot be stored; the lines before it remain stored.")
  private boolean strict;

  @Option(
      names = "--lenient",
      description = "Exit with 0 even if lines were refused; they are still reported.")
  private boolean lenient;

  IngestCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    if (strict && lenient) {
      throw MemoryException.invalid(
          "--lenient", "cannot be combined with --strict; give only one of them");
    }
    try (InputStream in = open()) {
      return ingest(in);
    }
  }

  /// The counts are printed also when no daemon answered, because scripts add them up.
  private int ingest(InputStream in) {
    var run = new IngestRun(memory.screen(), strict, !file.toString().equals("-"));
    Optional<MemoryException> failure = Optional.empty();
    try (MemoryClient client = memory.connect()) {
      run.send(client, in);
    } catch (IOException e) {
      failure = Optional.of(unreadable(e));
    } catch (MemoryException e) {
      failure = Optional.of(e);
    }
    memory.say(run.counts());
    run.remark();
    failure.ifPresent(this::report);
    return failure
        .map(IngestCommand::exit)
        .orElse(run.refused() > 0 && !lenient ? ExitCodes.REFUSED : ExitCodes.OK);
  }

  private void report(MemoryException failure) {
    memory
        .screen()
        .error(
            failure.getMessage()
                + "\nonly the counted events were acknowledged; run the same command again to store"
                + " the rest; events that are already stored do not change");
  }

  /// For a script, a daemon that stops in order is the same as one that was killed.
  private static int exit(MemoryException failure) {
    return failure.code() == ErrorCode.CLOSED
        ? ExitCodes.UNREACHABLE
        : ExitCodes.of(failure.code());
  }

  private InputStream open() {
    if (isStandardInput()) {
      return new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    }
    if (Files.isDirectory(file)) {
      throw new MemoryException(
          ErrorCode.CONFLICT, file + " is a directory; give a file with one event per line");
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw FileErrors.of(e);
    }
  }

  private MemoryException unreadable(IOException error) {
    return new MemoryException(
        ErrorCode.CONFLICT,
        "cannot read "
            + (isStandardInput() ? "the standard input" : file.toString())
            + ": "
            + error.getMessage(),
        error);
  }

  private boolean isStandardInput() {
    return file.toString().equals("-");
  }
}
