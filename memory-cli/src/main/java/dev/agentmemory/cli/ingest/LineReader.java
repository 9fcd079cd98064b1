package dev.agentmemory.cli.ingest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Reads lines of UTF-8 that end with `\n` only, because JSON text may contain U+2028 and similar
/// characters. A `\r` before the `\n` belongs to the line's end. A line that is too long or is not
/// UTF-8 is returned as such, and reading continues after it.
public final class LineReader {

  /// Longest line, in bytes: 1 MiB of event text in the longest escaped form.
  public static final int MOST_BYTES = 8 << 20;

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;
  private long number;

  public LineReader(InputStream in) {
    this.in = in;
  }

  /// One line.
  public sealed interface Line {

    long number();

    record Text(long number, String text) implements Line {}

    record Unreadable(long number, String problem) implements Line {}
  }

  /// @return empty at the end
  public Optional<Line> next() throws IOException {
    var bytes = new ByteArrayOutputStream();
    boolean tooLong = false;
    boolean any = false;
    while (fill()) {
      any = true;
      int stop = lineEnd();
      if (!tooLong) {
        bytes.write(buffer, at, stop - at);
      }
      tooLong = tooLong || bytes.size() > MOST_BYTES;
      boolean ended = stop < end;
      at = ended ? stop + 1 : end;
      if (ended) {
        break;
      }
    }
    if (!any) {
      return Optional.empty();
    }
    number++;
    return Optional.of(
        tooLong
            ? new Line.Unreadable(
                number,
                "is longer than " + MOST_BYTES + " bytes; an event or a memory holds 1 MiB at most")
            : line(bytes.toByteArray()));
  }

  /// What follows the last line that was read.
  public InputStream rest() {
    return new SequenceInputStream(new ByteArrayInputStream(buffer, at, end - at), in);
  }

  /// Whether more input can be read without waiting. False at the end of a file.
  boolean isMoreAtHand() throws IOException {
    return lineEnd() < end || in.available() > 0;
  }

  private Line line(byte[] bytes) {
    boolean carriageReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
    int length = carriageReturn ? bytes.length - 1 : bytes.length;
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
      boolean mark = number == 1 && text.startsWith("\uFEFF");
      return new Line.Text(number, mark ? text.substring(1) : text);
    } catch (CharacterCodingException e) {
      return new Line.Unreadable(number, "is not UTF-8; convert the input to it");
    }
  }

  private int lineEnd() {
    for (int i = at; i < end; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return end;
  }

  private boolean fill() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return at < end;
  }
}
