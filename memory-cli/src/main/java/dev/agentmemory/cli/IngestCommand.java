package dev.agentmemory.cli;

import dev.agentmemory.cli.ingest.IngestRun;
import dev.agentmemory.cli.terminal.Exits;
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
      "Stores events: JSON, one event a line. What is said to be stored is on the disk.",
      "A line that cannot be stored is listed with its number and left out, and the command ends"
          + " with 4. The same file again changes nothing."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A line:  {\"session_id\": \"s1\", \"timestamp\": \"2026-01-30T14:30:00Z\",",
      "          \"event_type\": \"user_message\", \"text\": \"Hello\"}",
      "Fields:  session_id    the conversation; required",
      "         timestamp     when it was said, such as above or in milliseconds since 1970;",
      "                       required, also as timestamp_ms",
      "         event_type    session_start, user_message (if absent), assistant_message,",
      "                       tool_result, assistant_stop, subagent_start, subagent_stop,",
      "                       session_end",
      "         role          user, assistant, system, tool; if absent, from event_type",
      "         text          what was said",
      "         metadata      pairs of text, such as {\"tool\": \"Bash\"}",
      "         agent         who sent it, such as claude",
      "         event_id      a ULID; derived from the content if absent",
      "         position      a number from 1: orders events of the same session and time; if",
      "                       absent, the number of the line in FILE",
      "         tool_name     a tool, stored as tool in metadata",
      "Names and types can be spelled as in Java or Rust: sessionId, UserMessage."
    })
final class IngestCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(paramLabel = "FILE", description = "File to read, - for the standard input.")
  private Path file = Path.of("-");

  @Option(
      names = "--strict",
      description = "Stop at the first line that cannot be stored; the lines before it are stored.")
  private boolean strict;

  @Option(
      names = "--lenient",
      description = "End with 0 also when lines were refused; they are listed all the same.")
  private boolean lenient;

  IngestCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    if (strict && lenient) {
      throw MemoryException.invalid("--lenient", "contradicts --strict; give one of the two");
    }
    try (InputStream in = open()) {
      return ingest(in);
    }
  }

  /// The counts are printed also when no daemon was there: a script adds up what it reads.
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
    failure.ifPresent(this::tell);
    return failure
        .map(IngestCommand::exit)
        .orElse(run.refused() > 0 && !lenient ? Exits.REFUSED : Exits.OK);
  }

  private void tell(MemoryException failure) {
    memory
        .screen()
        .error(
            failure.getMessage()
                + "\nonly what is counted was acknowledged; run the same command again to store the"
                + " rest, which changes nothing that is stored already");
  }

  /// An orderly stop of the daemon is no other case for a script than its death.
  private static int exit(MemoryException failure) {
    return failure.code() == ErrorCode.CLOSED ? Exits.UNREACHABLE : Exits.of(failure.code());
  }

  private InputStream open() {
    if (isStandardInput()) {
      return new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    }
    if (Files.isDirectory(file)) {
      throw new MemoryException(
          ErrorCode.CONFLICT, file + " is a directory; name a file with one event a line");
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
