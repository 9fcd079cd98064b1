package dev.agentmemory.engine.audit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/// The lines of a file from the last to the first, as far as the file went when it was opened. It
/// holds one block of the file, and one line.
final class ReverseLines implements AutoCloseable {

  /// A longer line is none of ours.
  static final int MOST_BYTES = 256 << 10;

  private static final int BLOCK = 64 << 10;

  private final FileChannel channel;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private long blockStart;

  /// Behind the next line.
  private long end;

  ReverseLines(FileChannel channel) throws IOException {
    this.channel = channel;
    this.end = channel.size();
  }

  /// The line before the one that was returned last, without its end.
  ///
  /// @return empty at the beginning of the file; a line that is too long is returned without bytes
  Optional<byte[]> next() throws IOException {
    while (end > 0 && at(end - 1) == '\n') {
      end--;
    }
    if (end == 0) {
      return Optional.empty();
    }
    long start = end;
    while (start > 0 && at(start - 1) != '\n') {
      start--;
    }
    long length = end - start;
    byte[] line = new byte[length > MOST_BYTES ? 0 : (int) length];
    for (int i = line.length - 1; i >= 0; i--) {
      line[i] = at(start + i);
    }
    end = start;
    return Optional.of(line);
  }

  private byte at(long position) throws IOException {
    if (position < blockStart || position >= blockStart + block.limit()) {
      blockStart = Math.max(0, position + 1 - BLOCK);
      block = read(blockStart, (int) (position + 1 - blockStart));
    }
    return block.get((int) (position - blockStart));
  }

  private ByteBuffer read(long from, int length) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(length);
    while (read.hasRemaining()) {
      if (channel.read(read, from + read.position()) < 0) {
        throw new EOFException("the file was shortened while it was read");
      }
    }
    return read.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
