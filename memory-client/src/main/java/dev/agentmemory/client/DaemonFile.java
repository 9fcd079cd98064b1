package dev.agentmemory.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The content of the file `daemon.json` in a data directory, about the daemon that wrote it.
///
/// @param pid its process; -1 when absent
/// @param host its address; empty when absent
/// @param port its port; 0 when absent
/// @param httpPort port of its HTTP server; 0 when absent
/// @param socket path of the Unix socket of its HTTP server; empty when absent
public record DaemonFile(
    long pid, String host, int port, String version, int httpPort, String socket) {

  /// The file is read token by token, because a library's object mapper takes longer to start than
  /// the rest of a small command.
  private static final JsonFactory JSON = new JsonFactory();

  /// Its path in a data directory.
  public static Path in(Path dataDir) {
    return dataDir.resolve("daemon.json");
  }

  /// @throws IOException when there is no such file, or when it is not a JSON object
  public static DaemonFile read(Path dataDir) throws IOException {
    Map<String, String> fields = fields(Files.readString(in(dataDir)));
    return new DaemonFile(
        number(fields.getOrDefault("pid", ""), -1),
        fields.getOrDefault("host", ""),
        Math.clamp(number(fields.getOrDefault("port", ""), 0), 0, 65_536),
        fields.getOrDefault("version", "unknown"),
        Math.clamp(number(fields.getOrDefault("http_port", ""), 0), 0, 65_536),
        fields.getOrDefault("socket", ""));
  }

  /// The Unix socket of its HTTP server, if there is such a file: that of the data directory, whose
  /// path a daemon in a container does not know, or the named one. The latter must belong to the
  /// owner of the file `daemon.json`: in a temporary directory others can create such a file as
  /// soon as the daemon's own is gone, and would get the token.
  public Optional<Path> unixSocket(Path dataDir) {
    Path own = dataDir.resolve("http.sock");
    if (Files.exists(own)) {
      return Optional.of(own);
    }
    return Optional.of(socket)
        .filter(path -> !path.isEmpty())
        .map(dataDir::resolve)
        .filter(path -> haveSameOwner(in(dataDir), path));
  }

  private static boolean haveSameOwner(Path one, Path other) {
    try {
      return Files.getOwner(one).equals(Files.getOwner(other));
    } catch (IOException e) {
      return false;
    }
  }

  private static Map<String, String> fields(String text) throws IOException {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new JsonParseException(parser, "daemon.json does not contain a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken().isScalarValue()) {
          fields.put(name, parser.getText());
        }
        parser.skipChildren();
      }
    }
    return fields;
  }

  private static long number(String text, long otherwise) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
