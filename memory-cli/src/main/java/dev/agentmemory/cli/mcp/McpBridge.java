package dev.agentmemory.cli.mcp;

import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.client.http.HttpExchange;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Passes each message of standard input to the daemon, and its answer to standard output.
///
/// Idea: the daemon keeps nothing between two messages, so neither does the bridge, apart from the
/// name by which the agent has introduced itself. A daemon that is down is started; one that was
/// restarted is found again with the next message. Messages are passed one after the other. It ends
/// with its input and leaves nothing behind.
public final class McpBridge {

  private static final String PATH = "/mcp";
  private static final String CLIENT = "memory-client";

  /// How often a connection is tried, with pauses.
  private static final int MOST_ATTEMPTS = 30;

  private static final int TOO_MANY_REQUESTS = 429;

  private final DaemonSocket daemon;
  private final Map<String, String> headers;
  private final Waiting waiting;
  private final Consumer<String> log;
  private Optional<String> client = Optional.empty();

  /// @param headers of every request, such as the workspace
  /// @param waiting for an answer of the daemon
  /// @param log takes a sentence for a person, who may never look
  public McpBridge(
      DaemonSocket daemon, Map<String, String> headers, Waiting waiting, Consumer<String> log) {
    this.daemon = daemon;
    this.headers = Map.copyOf(headers);
    this.waiting = waiting;
    this.log = log;
  }

  /// Where the daemon listens.
  public interface DaemonSocket {

    /// Finds the daemon, and starts it if it is down.
    ///
    /// @throws MemoryException with the remedy when there is none and none can be started
    Address find() throws InterruptedException;

    /// What to do about a daemon of another version than this program; empty when it is of the
    /// same.
    Optional<String> otherVersion();

    /// Waits a moment for a daemon that is stopping or starting.
    void pause() throws InterruptedException;
  }

  /// An address of a daemon.
  ///
  /// @param token that it requires; empty if none
  public record Address(Path socket, Optional<String> token) {}

  /// Runs until the input ends or the output is closed.
  public void run(InputStream in, OutputStream out) throws IOException, InterruptedException {
    var lines = new MessageLines(new BufferedInputStream(in));
    MessageLines.Line line = lines.next();
    // No switch with patterns: the JVM would generate code for it at each start, for 3 ms.
    while (!(line instanceof MessageLines.Line.End)) {
      if (line instanceof MessageLines.Line.Message(byte[] bytes)) {
        pass(bytes, out);
      } else {
        write(out, BridgeErrors.tooLong(MessageLines.MOST_BYTES).getBytes(StandardCharsets.UTF_8));
      }
      line = lines.next();
    }
  }

  private void pass(byte[] line, OutputStream out) throws IOException, InterruptedException {
    BridgeMessage message = BridgeMessage.read(line);
    client = message.client().or(() -> client);
    byte[] answer;
    try {
      answer = answer(message, line);
    } catch (MemoryException e) {
      answer = failed(message, String.valueOf(e.getMessage()));
    }
    if (answer.length > 0) {
      write(out, answer);
    }
  }

  private byte[] answer(BridgeMessage message, byte[] line) throws InterruptedException {
    try {
      return body(message, delivered(message, line));
    } catch (IOException e) {
      log.accept("the daemon does not answer: " + e.getMessage());
      return again(message, line);
    }
  }

  /// The daemon ended while the message was under way.
  private byte[] again(BridgeMessage message, byte[] line) throws InterruptedException {
    if (!message.isRepeatable()) {
      return failed(
          message,
          "the daemon ended during this call; look whether it had an effect, then call again");
    }
    try {
      return body(message, delivered(message, line));
    } catch (IOException e) {
      return failed(message, "the daemon does not answer; `memory doctor` tells why");
    }
  }

  /// Sends a message to whatever daemon listens. One that is stopping does not any more, and one
  /// that has too much to do answers so and has done nothing.
  private HttpAnswer delivered(BridgeMessage message, byte[] line)
      throws IOException, InterruptedException {
    for (int attempt = 1; true; attempt++) {
      try {
        HttpAnswer answer = send(daemon.find(), message, line);
        if (answer.status() != TOO_MANY_REQUESTS || attempt == MOST_ATTEMPTS) {
          return answer;
        }
      } catch (ConnectException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
      daemon.pause();
    }
  }

  private HttpAnswer send(Address address, BridgeMessage message, byte[] line) throws IOException {
    var all = new LinkedHashMap<>(headers);
    all.put("content-type", "application/json");
    all.put("accept", "application/json");
    address.token().ifPresent(token -> all.put("authorization", "Bearer " + token));
    client.filter(McpBridge::isPlain).ifPresent(name -> all.put(CLIENT, name));
    message
        .revision()
        .ifPresent(revision -> {
          all.put("mcp-protocol-version", value(revision));
          message.method().ifPresent(method -> all.put("mcp-method", value(method)));
          message.name().ifPresent(name -> all.put("mcp-name", value(name)));
        });
    return new HttpExchange(UnixDomainSocketAddress.of(address.socket()), waiting)
        .post(PATH, all, line);
  }

  /// A value as a header may hold it; others are encoded as the protocol says.
  private static String value(String text) {
    return isPlain(text)
        ? text
        : "=?base64?"
            + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
            + "?=";
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 127) && text.equals(text.strip());
  }

  /// Bodies that are no JSON-RPC come from what stands before the MCP endpoint.
  private byte[] body(BridgeMessage message, HttpAnswer answer) {
    if (answer.body().length == 0) {
      return answer.status() == 202 ? answer.body() : failed(message, refused(answer, ""));
    }
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    if (text.contains("\"jsonrpc\"")) {
      return text.replace('\n', ' ').getBytes(StandardCharsets.UTF_8);
    }
    return failed(message, refused(answer, ": " + text.strip()));
  }

  /// A daemon of another version may not serve what this one asks for.
  private String refused(HttpAnswer answer, String text) {
    return "the daemon answered with status "
        + answer.status()
        + text
        + daemon.otherVersion().map(remedy -> "; " + remedy).orElse("");
  }

  private byte[] failed(BridgeMessage message, String why) {
    log.accept(why);
    return message.isRequest()
        ? BridgeErrors.internal(message.id().orElseThrow(), why).getBytes(StandardCharsets.UTF_8)
        : new byte[0];
  }

  private static void write(OutputStream out, byte[] line) throws IOException {
    out.write(line);
    out.write('\n');
    out.flush();
  }
}
