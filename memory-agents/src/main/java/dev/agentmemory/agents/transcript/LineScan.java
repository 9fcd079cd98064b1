package dev.agentmemory.agents.transcript;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/// Reads the lines of a file from a place on, without making objects of them. Lines that a test of
/// their beginning rules out are passed over as bytes, however long they are.
final class LineScan {

  /// Bytes of a line's beginning that the test sees.
  static final int HEAD = 512;

  private static final int CHUNK = 256 << 10;

  /// A longer line is passed over.
  private static final int LONGEST = 32 << 20;

  /// Tests the beginning of a line.
  interface Test {

    /// The type under which the line is counted as skipped; "" when it is to be read.
    String skipped(byte[] bytes, int from, int length);
  }

  private final FileChannel file;
  private final Test test;
  private byte[] buffer = new byte[CHUNK];
  private int position;
  private int limit;
  private long bufferOffset;

  private int lineFrom;
  private int lineLength;
  private long lineOffset;
  private String skipped = "";

  LineScan(FileChannel file, long offset, Test test) {
    this.file = file;
    this.test = test;
    this.bufferOffset = offset;
  }

  /// Goes to the next line.
  ///
  /// @return false when the rest of the file holds no complete line
  boolean next() throws IOException {
    skipped = "";
    lineOffset = offset();
    int searched = position;
    while (true) {
      int end = newline(searched);
      if (end >= 0) {
        take(end);
        return true;
      }
      searched = limit;
      if (skipped.isEmpty() && limit - position >= HEAD) {
        skipped = test.skipped(buffer, position, HEAD);
      }
      if (!skipped.isEmpty() || limit - position >= LONGEST) {
        skipped = skipped.isEmpty() ? TranscriptPart.TOO_LONG : skipped;
        return passOver();
      }
      int before = position;
      if (!fill()) {
        return last();
      }
      searched -= before - position;
    }
  }

  /// The last line may lack its line feed; it is complete when it ends as an object does. The
  /// reader decides.
  private boolean last() {
    if (limit == position || buffer[limit - 1] != '}') {
      return false;
    }
    take(limit);
    position = limit;
    return true;
  }

  private void take(int end) {
    lineFrom = position;
    lineLength = end - position;
    if (skipped.isEmpty()) {
      skipped = test.skipped(buffer, lineFrom, Math.min(HEAD, lineLength));
    }
    position = Math.min(end + 1, limit);
  }

  private boolean passOver() throws IOException {
    long start = lineOffset;
    position = limit;
    while (fill()) {
      int end = newline(position);
      if (end >= 0) {
        lineFrom = position;
        lineLength = 0;
        position = end + 1;
        return true;
      }
      position = limit;
    }
    // Torn: it is read again when it is complete.
    bufferOffset = start;
    position = 0;
    limit = 0;
    return false;
  }

  private int newline(int from) {
    for (int i = from; i < limit; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean fill() throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      bufferOffset += position;
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read =
        file.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit), bufferOffset + limit);
    limit += Math.max(read, 0);
    return read > 0;
  }

  /// The place behind the last line.
  long offset() {
    return bufferOffset + position;
  }

  /// Takes the last line back: the next one begins where it began.
  void back() {
    position -= (int) (offset() - lineOffset);
  }

  /// Where the line begins in the file.
  long lineOffset() {
    return lineOffset;
  }

  /// Whether a line feed ends the line.
  boolean isEnded() {
    return offset() - lineOffset > lineLength;
  }

  String skipped() {
    return skipped;
  }

  /// Whether a text is in the line.
  boolean contains(BytePattern wanted) {
    return wanted.isIn(buffer, lineFrom, lineLength);
  }

  byte[] bytes() {
    return buffer;
  }

  int from() {
    return lineFrom;
  }

  int length() {
    return lineLength;
  }
}
