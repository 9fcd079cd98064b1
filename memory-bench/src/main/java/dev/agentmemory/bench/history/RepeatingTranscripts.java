package dev.agentmemory.bench.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Transcripts of today's Claude Code: behind the lines of the conversation stand its requests,
/// which repeat the conversation and have three quarters of the bytes.
final class RepeatingTranscripts {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Bytes of repeating lines for each byte of the others.
  private static final int REPEATED = 3;

  /// A request is written when it would repeat this much.
  private static final int REQUEST_BYTES = 64 << 10;

  private static final List<String> TYPES = List.of("api-request", "api-request-blob");

  private RepeatingTranscripts() {}

  /// What was written.
  ///
  /// @param bytes of all files with repeating lines
  /// @param repeating those of these lines
  record Written(long bytes, long repeating) {}

  /// Writes copies of transcripts, once as they are and once with requests.
  ///
  /// @param plain a folder for those without requests
  static Written write(List<Path> files, int copies, Path plain, Path repeating)
      throws IOException {
    Files.createDirectories(plain);
    Files.createDirectories(repeating);
    long bytes = 0;
    long repeated = 0;
    for (Path file : files) {
      List<String> lines = CopiedTranscripts.lines(file);
      for (int copy = 0; copy < copies; copy++) {
        String name = copy + "-" + String.valueOf(file.getFileName()).replaceFirst("\\.gz$", "");
        int number = copy;
        List<String> shifted =
            lines.stream().map(line -> CopiedTranscripts.shifted(line, number)).toList();
        Files.write(plain.resolve(name), shifted);
        Path written = repeating.resolve(name);
        repeated += write(shifted, written);
        bytes += Files.size(written);
      }
    }
    return new Written(bytes, repeated);
  }

  /// @return bytes of the repeating lines
  private static long write(List<String> lines, Path file) throws IOException {
    long repeated = 0;
    int requests = 0;
    var conversation = new StringBuilder();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < lines.size(); i++) {
        out.write(lines.get(i));
        out.write('\n');
        conversation.append(lines.get(i)).append('\n');
        boolean last = i == lines.size() - 1;
        while (conversation.length() * REPEATED >= REQUEST_BYTES
            || (last && !conversation.isEmpty())) {
          int part = Math.min(conversation.length(), REQUEST_BYTES / REPEATED);
          String request = request(conversation.substring(0, part), requests++);
          conversation.delete(0, part);
          out.write(request);
          out.write('\n');
          repeated += request.getBytes(StandardCharsets.UTF_8).length + 1;
        }
      }
    }
    return repeated;
  }

  /// A line that repeats a part of the conversation as often as is needed.
  private static String request(String part, int number) throws IOException {
    return "{\"type\":\"%s\",\"sessionId\":\"repeated\",\"id\":\"%d\",\"params\":%s}"
        .formatted(
            TYPES.get(number % TYPES.size()),
            number,
            JSON.writeValueAsString(Map.of("messages", part.repeat(REPEATED))));
  }
}
