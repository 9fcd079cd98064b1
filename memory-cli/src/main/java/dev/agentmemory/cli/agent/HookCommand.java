package dev.agentmemory.cli.agent;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.client.http.HttpExchange;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Asks the daemon for the answer to a hook, for `memory-hook` where there is no curl.
@Command(
    name = "hook",
    hidden = true,
    description = "Passes a spooled hook on standard input to the daemon and prints its answer.",
    mixinStandardHelpOptions = true)
final class HookCommand implements Callable<Integer> {

  /// What `memory-hook` takes for "nothing listens".
  private static final int NOT_LISTENING = 7;

  private static final Duration MOST = Duration.ofSeconds(2);
  private static final String VARIABLE = "variable.";

  private final AgentContext memory;
  private final InputStream input;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Id of the agent.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "EVENT", description = "The agent's name of the event.")
  private String event = "";

  @Parameters(index = "2", paramLabel = "NAME", description = "Name of the spooled file.")
  private String name = "";

  HookCommand(AgentContext memory, InputStream input) {
    this.memory = memory;
    this.input = input;
  }

  /// Says nothing but the answer, whatever happens: an agent would show it.
  @Override
  public Integer call() {
    try {
      HttpAnswer answer = asked();
      if (answer.status() / 100 == 2 && answer.body().length > 0) {
        memory.screen().line(new String(answer.body(), StandardCharsets.UTF_8));
      }
      return ExitCodes.OK;
    } catch (ConnectException | NoSuchFileException e) {
      return NOT_LISTENING;
    } catch (IOException e) {
      return ExitCodes.FAILED;
    }
  }

  private HttpAnswer asked() throws IOException {
    Path data = memory.data();
    Path socket =
        DaemonFile.read(data).unixSocket(data).orElseThrow(() -> new ConnectException("no socket"));
    String spooled = new String(input.readAllBytes(), StandardCharsets.UTF_8);
    int end = spooled.indexOf("\n\n");
    String head = end < 0 ? "" : spooled.substring(0, end);
    byte[] body = spooled.substring(head.isEmpty() ? 0 : end + 2).getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", "application/json");
    headers.put("memory-spooled", name);
    headers.put("authorization", "Bearer " + Files.readString(data.resolve("token")).strip());
    head.lines()
        .filter(line -> line.startsWith(VARIABLE) && line.contains("="))
        .map(line -> line.substring(VARIABLE.length()).split("=", 2))
        .forEach(pair -> headers.put("memory-variable-" + pair[0], pair[1]));
    return new HttpExchange(UnixDomainSocketAddress.of(socket), Waiting.atMost(MOST))
        .post("/hooks/" + agent + "/" + event, headers, body);
  }
}
