package dev.agentmemory.cli.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// Messages, one a line. A line that is too long is read to its end and not kept.
final class MessageLines {

  /// Most bytes of a message; the daemon takes no more.
  static final int MOST_BYTES = 4 << 20;

  private final InputStream in;

  /// @param in buffered
  MessageLines(InputStream in) {
    this.in = in;
  }

  /// What a line holds.
  sealed interface Line {

    // Passed on as it is and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Message(byte[] bytes) implements Line {}

    record TooLong() implements Line {}

    /// There are no more lines.
    record End() implements Line {}
  }

  /// The next line that is not blank. The last one need not be terminated.
  Line next() throws IOException {
    while (true) {
      var bytes = new ByteArrayOutputStream();
      boolean tooLong = false;
      boolean blank = true;
      int next = in.read();
      while (next >= 0 && next != '\n') {
        blank &= next == ' ' || next == '\r' || next == '\t';
        if (bytes.size() < MOST_BYTES) {
          bytes.write(next);
        } else {
          tooLong = true;
        }
        next = in.read();
      }
      if (tooLong) {
        return new Line.TooLong();
      }
      if (!blank) {
        return new Line.Message(bytes.toByteArray());
      }
      if (next < 0) {
        return new Line.End();
      }
    }
  }
}
