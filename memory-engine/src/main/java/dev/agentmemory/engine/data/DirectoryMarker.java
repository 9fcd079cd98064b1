package dev.agentmemory.engine.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;

/// The file at the top of a data directory that says that the directory is one of agent-memory. It
/// is the first file that is written there.
///
/// ```
/// {"magic":"agent-memory data directory","format":1,"created":"2026-01-30T14:30:00Z","check":"5f1d2c3b"}
/// ```
///
/// `check` is the CRC-32C of the bytes before `,"check"`, in hexadecimal digits.
///
/// @param format of the data directory; programs that know only lower ones refuse it
/// @param created when the marker was written
public record DirectoryMarker(int format, Instant created) {

  /// Its name in the data directory.
  public static final String FILE = "agent-memory.json";

  static final int CURRENT_FORMAT = 1;

  private static final String MAGIC = "agent-memory data directory";
  private static final String CHECK = ",\"check\":\"";
  private static final int MOST_BYTES = 4096;

  /// Marks a directory as ours. To be called before anything else is made in it. Several processes
  /// may do this at once.
  ///
  /// @param directory exists
  public static void write(Path directory, Instant now) throws IOException {
    DurableFile.writeShared(
        directory.resolve(FILE), new DirectoryMarker(CURRENT_FORMAT, now).text());
  }

  /// @throws java.nio.file.NoSuchFileException when there is none
  /// @throws IOException when it cannot be read, or is damaged; the message says how
  static DirectoryMarker read(Path directory) throws IOException {
    return parse(
        new String(DurableFile.read(directory.resolve(FILE), MOST_BYTES), StandardCharsets.UTF_8));
  }

  /// Whether that file is a marker that a start is writing, or that one that was cut short has
  /// left.
  static boolean isDraft(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(FILE + ".") && name.endsWith(DurableFile.DRAFT);
  }

  String text() {
    return whole(
        "{\"magic\":\"%s\",\"format\":%d,\"created\":\"%s\"".formatted(MAGIC, format, created));
  }

  private static String whole(String body) {
    return body + CHECK + DurableFile.checksum(body) + "\"}\n";
  }

  /// @throws IOException when the text is not that of a marker
  static DirectoryMarker parse(String text) throws IOException {
    int end = text.lastIndexOf(CHECK);
    if (end < 0 || !text.equals(whole(text.substring(0, end)))) {
      throw new IOException("its checksum does not match its content");
    }
    JsonNode json = new JsonMapper().readTree(text);
    if (!json.path("magic").asText().equals(MAGIC) || !json.path("format").isInt()) {
      throw new IOException("it was not written by agent-memory");
    }
    try {
      return new DirectoryMarker(
          json.path("format").asInt(), Instant.parse(json.path("created").asText()));
    } catch (DateTimeException e) {
      throw new IOException("it does not contain a creation time", e);
    }
  }
}
