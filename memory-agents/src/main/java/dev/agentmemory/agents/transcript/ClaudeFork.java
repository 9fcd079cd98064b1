package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Forks of sessions of Claude Code. A fork's transcript begins with its parent's lines: their
/// `uuid` and time are the parent's, but session and prompt ids are the fork's own, and the parent
/// is not named. It is the transcript in the same folder that has the same lines.
final class ClaudeFork {

  /// Names without which a line tells nothing about the beginning of a conversation. Old
  /// transcripts have neither, and would be parsed a second time.
  private static final BytePattern PROMPT = new BytePattern("\"promptId\"");

  private static final BytePattern QUEUE = new BytePattern("\"queue-operation\"");

  private static final int HEAD_BYTES = 1 << 20;
  private static final int PARENT_HEAD_BYTES = 256 << 10;
  private static final int CHUNK = 64 << 10;

  /// Transcripts of a folder that are searched for the parent.
  private static final int MOST_SIBLINGS = 2000;

  private ClaudeFork() {}

  /// The transcript from which the lines of a fork were copied.
  ///
  /// @param uuid of the first line of the conversation
  static Optional<Path> parentOf(Path file, String uuid) {
    Path folder = file.toAbsolutePath().getParent();
    if (uuid.isEmpty() || folder == null || !isLikely(file)) {
      return Optional.empty();
    }
    try (Stream<Path> siblings = Files.list(folder)) {
      List<Path> found =
          siblings
              .filter(other -> other.toString().endsWith(".jsonl"))
              .filter(other -> !other.getFileName().equals(file.getFileName()))
              .filter(other -> Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS))
              .limit(MOST_SIBLINGS)
              .filter(other -> begins(other, uuid))
              .sorted()
              .toList();
      // Other forks of the same parent have the line as well.
      return found.stream()
          .filter(Predicate.not(ClaudeFork::isLikely))
          .findFirst()
          .or(() -> found.stream().findFirst());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean begins(Path file, String uuid) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(PARENT_HEAD_BYTES), StandardCharsets.ISO_8859_1)
          .contains('"' + uuid + '"');
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether a transcript can be a fork's: its conversation is older than the prompt that began it,
  /// or its first two prompts have one id. Only then the folder is searched.
  static boolean isLikely(Path file) {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return isInHead(PROMPT, channel) && isLikely(channel);
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether a text is in the beginning of a file. Finding no prompt in this way is many times
  /// faster than reading the lines.
  private static boolean isInHead(BytePattern wanted, FileChannel file) throws IOException {
    byte[] bytes = new byte[CHUNK];
    int kept = 0;
    for (long at = 0; at < HEAD_BYTES; ) {
      int read = file.read(ByteBuffer.wrap(bytes, kept, CHUNK - kept), at);
      if (read < 0) {
        return false;
      }
      int length = kept + read;
      if (wanted.isIn(bytes, 0, length)) {
        return true;
      }
      at += read;
      kept = Math.min(length, wanted.length() - 1);
      System.arraycopy(bytes, length - kept, bytes, 0, kept);
    }
    return false;
  }

  private static boolean isLikely(FileChannel channel) throws IOException {
    var scan = new LineScan(channel, 0, ClaudeTranscript::passedOver);
    Optional<Instant> queued = Optional.empty();
    String first = "";
    while (scan.offset() < HEAD_BYTES && scan.next()) {
      Optional<PayloadFields> line =
          scan.skipped().isEmpty() && (scan.contains(PROMPT) || scan.contains(QUEUE))
              ? PayloadFields.parse(
                  scan.bytes(), scan.from(), scan.length(), ClaudeTranscript.PARTIAL)
              : Optional.empty();
      if (line.isPresent() && line.get().text("type").equals("queue-operation")) {
        queued = queued.or(() -> line.get().time("timestamp"));
      } else if (line.isPresent() && isPrompt(line.get())) {
        String id = line.get().text("promptId");
        Optional<Instant> said = line.get().time("timestamp");
        if (!first.isEmpty() || isBefore(said, queued)) {
          return first.isEmpty() || first.equals(id);
        }
        first = id;
      }
    }
    return false;
  }

  private static boolean isBefore(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.isPresent() && one.get().isBefore(other.get());
  }

  private static boolean isPrompt(PayloadFields line) {
    return line.text("type").equals("user")
        && !line.text("promptId").isEmpty()
        && !line.flag("isMeta")
        && line.at("message").node("content").isTextual();
  }

  /// The ids of all lines of a transcript's conversation.
  static Set<String> lines(Path file) {
    Set<String> lines = new HashSet<>();
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      var scan = new LineScan(channel, 0, ClaudeTranscript::passedOver);
      while (scan.next()) {
        if (scan.skipped().isEmpty()) {
          PayloadFields.parse(scan.bytes(), scan.from(), scan.length())
              .map(line -> line.text("uuid"))
              .filter(uuid -> !uuid.isEmpty())
              .ifPresent(lines::add);
        }
      }
    } catch (IOException e) {
      // What could not be read is taken for the fork's own.
      return lines;
    }
    return lines;
  }
}
