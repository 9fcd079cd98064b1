package dev.agentmemory.cli.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The last lines that a daemon has written since its start: those of its log, then those of its
/// output.
final class LogTail {

  private static final int MOST_LINES = 15;
  private static final int MOST_BYTES = 64 << 10;

  private final Path data;
  private final long logFrom;

  private LogTail(Path data, long logFrom) {
    this.data = data;
    this.logFrom = logFrom;
  }

  /// Call this before the daemon starts: older content of the log belongs to another one.
  static LogTail since(Path data) throws IOException {
    Path log = LogPlace.file(data);
    return new LogTail(data, Files.exists(log) ? Files.size(log) : 0);
  }

  /// Indented lines, or a sentence when there are none.
  String text() {
    try {
      List<String> log =
          tail(LogPlace.file(data), logFrom).stream().map(LogTail::readable).toList();
      List<String> output = tail(LogPlace.output(data), 0);
      String lines =
          Stream.concat(log.stream(), output.stream())
              .map(line -> "  | " + line)
              .collect(Collectors.joining("\n"));
      return lines.isEmpty() ? "  (no output)" : lines;
    } catch (IOException e) {
      return "  (cannot be read: " + e.getMessage() + ")";
    }
  }

  private static List<String> tail(Path file, long from) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      long size = channel.size();
      // A shorter file is a new one: the log was rotated.
      long start = Math.max(size < from ? 0 : from, size - MOST_BYTES);
      var bytes = ByteBuffer.allocate((int) (size - start));
      channel.position(start);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // The loop ends when the buffer is full or the file ends.
      }
      List<String> lines = StandardCharsets.UTF_8.decode(bytes.flip()).toString().lines().toList();
      return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /// Level and message of a log line; the line itself when it has another format.
  private static String readable(String line) {
    try {
      JsonNode json = new JsonMapper().readTree(line);
      String thrown = json.path("exception").asText("").lines().findFirst().orElse("");
      return json.path("level").asText()
          + ": "
          + json.path("message").asText()
          + (thrown.isEmpty() ? "" : " (" + thrown + ")");
    } catch (JsonProcessingException e) {
      return line;
    }
  }
}
