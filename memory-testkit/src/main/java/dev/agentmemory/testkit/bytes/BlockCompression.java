package dev.agentmemory.testkit.bytes;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Decompresses blocks of table files.
final class BlockCompression {

  private static final int NONE = 0;
  private static final int LZ4 = 4;
  private static final int LZ4_HC = 5;
  private static final int ZSTD = 7;
  private static final int SHORTEST_MATCH = 4;
  private static final int LONG = 15;
  private static final int LARGEST_BLOCK = 1 << 30;

  private final byte[] dictionary;

  /// @param dictionary that of the file; empty if it has none
  BlockCompression(byte[] dictionary) {
    this.dictionary = dictionary;
  }

  /// @param type as the engine numbers it
  /// @param stored the block; a compressed one begins with the size that it had before
  byte[] decompress(int type, byte[] stored) throws IOException {
    if (type == NONE) {
      return stored;
    }
    ByteBuffer in = ByteBuffer.wrap(stored);
    int size = Math.toIntExact(Varints.read(in));
    if (size < 0 || size > LARGEST_BLOCK) {
      throw new IOException("a block says that it has %d bytes".formatted(size));
    }
    byte[] block =
        switch (type) {
          case LZ4, LZ4_HC -> lz4(in, size);
          case ZSTD -> zstd(in, size);
          default ->
              throw new IOException("compression %d is not known to the scanner".formatted(type));
        };
    if (block.length != size) {
      throw new IOException("a block has %d bytes, not %d".formatted(block.length, size));
    }
    return block;
  }

  private byte[] zstd(ByteBuffer in, int size) throws IOException {
    try (var context = new ZstdDecompressCtx()) {
      if (dictionary.length > 0) {
        context.loadDict(dictionary);
      }
      byte[] compressed = new byte[in.remaining()];
      in.get(compressed);
      return context.decompress(compressed, size);
    } catch (ZstdException e) {
      throw new IOException("a block cannot be decompressed: " + e.getMessage(), e);
    }
  }

  /// A block without a frame: literals, and copies of what precedes them, which begins with the
  /// dictionary.
  private byte[] lz4(ByteBuffer in, int size) throws IOException {
    byte[] out = Arrays.copyOf(dictionary, dictionary.length + size);
    int at = dictionary.length;
    while (in.hasRemaining()) {
      int token = in.get() & 0xFF;
      int literals = length(token >>> 4, in);
      if (literals > in.remaining() || literals > out.length - at) {
        throw new IOException("a block of LZ4 is damaged");
      }
      in.get(out, at, literals);
      at += literals;
      if (!in.hasRemaining()) {
        break;
      }
      int distance = (in.get() & 0xFF) | (in.get() & 0xFF) << 8;
      int matched = length(token & LONG, in) + SHORTEST_MATCH;
      if (distance == 0 || distance > at || matched > out.length - at) {
        throw new IOException("a block of LZ4 is damaged");
      }
      // One by one, as a copy may overlap itself.
      for (int i = 0; i < matched; i++) {
        out[at] = out[at - distance];
        at++;
      }
    }
    return Arrays.copyOfRange(out, dictionary.length, at);
  }

  private static int length(int first, ByteBuffer in) {
    int length = first;
    int next = first == LONG ? 255 : 0;
    while (next == 255) {
      next = in.get() & 0xFF;
      length += next;
    }
    return length;
  }
}
