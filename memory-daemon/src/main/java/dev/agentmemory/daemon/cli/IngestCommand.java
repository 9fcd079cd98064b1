package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Sends events to the daemon.
@Command(
    name = "ingest",
    description = {
      "Stores events: JSON, one event a line. What is said to be stored is on the disk.",
      "The same file again changes nothing."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A line:  {\"session_id\": \"s1\", \"timestamp\": \"2026-01-30T14:30:00Z\",",
      "          \"event_type\": \"user_message\", \"text\": \"Hello\"}",
      "Fields:  session_id    the conversation; required",
      "         timestamp_ms  milliseconds since 1970, or timestamp in ISO form; required",
      "         event_type    session_start, user_message (if absent), assistant_message,",
      "                       tool_result, assistant_stop, subagent_start, subagent_stop,",
      "                       session_end",
      "         role          user, assistant, system, tool; if absent, from event_type",
      "         text          what was said",
      "         metadata      pairs of text, such as {\"tool\": \"Bash\"}",
      "         agent         who sent it, such as claude",
      "         event_id      a ULID; derived from the content if absent"
    })
final class IngestCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(paramLabel = "FILE", description = "File to read, - for the standard input.")
  private Path file = Path.of("-");

  @Option(
      names = "--strict",
      description =
          "Stop at the first line that cannot be stored; without it, such lines are"
              + " reported and skipped.")
  private boolean strict;

  IngestCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    try (InputStream in = open();
        MemoryClient client = memory.connect()) {
      var run = new IngestRun(memory.screen(), strict);
      run.send(client, in);
      memory.say(run.counts());
      return strict && run.refused() > 0 ? Exits.FAILED : Exits.OK;
    }
  }

  private InputStream open() throws IOException {
    if (file.toString().equals("-")) {
      return new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    }
    try {
      return Files.newInputStream(file);
    } catch (NoSuchFileException e) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    }
  }
}
