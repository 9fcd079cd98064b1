package dev.agentmemory.daemon.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// An MCP server of an agent as its settings start it: a process that is spoken to by its standard
/// input and output.
final class McpProcess implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  /// A daemon may have to be started first.
  private static final int MOST_SECONDS = 120;

  private final Process process;
  private final OutputStream in;
  private final BufferedReader out;

  private McpProcess(Process process) {
    this.process = process;
    in = process.getOutputStream();
    out = process.inputReader(StandardCharsets.UTF_8);
  }

  static McpProcess start(List<String> command, Map<String, String> environment, Path directory)
      throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new McpProcess(builder.start());
  }

  /// Sends a message and reads the line that answers it.
  JsonNode ask(String message) throws IOException {
    tell(message);
    CompletableFuture<String> line = CompletableFuture.supplyAsync(this::line);
    return JSON.readTree(line.orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join());
  }

  /// Sends a message that has no answer.
  void tell(String message) throws IOException {
    in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private String line() {
    try {
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("the server has closed its output");
      }
      return line;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /// Closes its input, as an agent that ends, and waits for its end.
  ///
  /// @return its exit code
  int end() throws IOException, InterruptedException {
    in.close();
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the server goes on without an input");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
