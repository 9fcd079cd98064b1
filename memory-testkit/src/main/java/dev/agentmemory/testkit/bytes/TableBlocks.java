package dev.agentmemory.testkit.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads all of a table file of RocksDB: each version of each row, deletions, and the blocks beside
/// the rows. The engine's own reader shows only the newest version of a key.
///
/// ```
/// file      data blocks, other blocks, list of the other blocks, footer
/// block     content, type of compression (1), checksum (4)
/// footer    type of checksum (1), handles (40), version (4), magic number (8)
/// handles   version 6 and later: magic (4), checksums (8), size of the list of blocks (4), which
///           ends where the footer begins; before: offset and size of the list, and of the index
/// entry     shared, added, length of the value; the added bytes of the key; the value. A key
///           begins with as many bytes of the one before as `shared` says
/// index     its values are offset and size of a block. Where they are written as differences, an
///           entry has no length of the value, and one that shares bytes has the difference of the
///           sizes only
/// ```
final class TableBlocks {

  private static final long MAGIC = 0x88e241b785f4cff7L;
  private static final int FOOTER = 53;
  private static final int TRAILER = 5;

  /// Where the size of the list of blocks is in a footer of version 6.
  private static final int LIST_SIZE = 13;

  private static final int VERSION_WITHOUT_HANDLES = 6;

  /// Sequence number and type, at the end of a key.
  private static final int SUFFIX = 8;

  private static final String INDEX = "rocksdb.index";
  private static final String PROPERTIES = "rocksdb.properties";
  private static final String DICTIONARY = "rocksdb.compression_dict";
  private static final String RANGE_DELETIONS = "rocksdb.range_del";

  private final FileChannel file;
  private final Decoded decoded;
  private BlockCompression compression = new BlockCompression(new byte[0]);
  private long rows;

  private TableBlocks(FileChannel file, Decoded decoded) {
    this.file = file;
    this.decoded = decoded;
  }

  /// Where a block is.
  private record Handle(long offset, long size) {

    static Handle read(ByteBuffer in) {
      return new Handle(Varints.read(in), Varints.read(in));
    }

    Handle next(long difference) {
      return new Handle(offset + size + TRAILER, size + difference);
    }
  }

  /// Receives the entries of a block.
  private interface Entries {
    void entry(byte[] key, byte[] value);
  }

  /// Whether a file ends as a table file does, whatever its name is.
  static boolean isTable(Path path) throws IOException {
    try (var file = FileChannel.open(path, StandardOpenOption.READ)) {
      return file.size() >= FOOTER && footer(file).getLong(FOOTER - Long.BYTES) == MAGIC;
    }
  }

  /// Reads a table file.
  ///
  /// @throws IOException also when it is damaged, or of a form that is not known
  static void read(Path path, Decoded decoded) throws IOException {
    try (var file = FileChannel.open(path, StandardOpenOption.READ)) {
      new TableBlocks(file, decoded).read();
    } catch (RuntimeException e) {
      throw new IOException("the table file cannot be decoded: " + e, e);
    }
  }

  private static ByteBuffer footer(FileChannel file) throws IOException {
    return ByteBuffer.wrap(bytes(file, file.size() - FOOTER, FOOTER))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(FileChannel file, long offset, long size) throws IOException {
    if (offset < 0 || size < 0 || offset + size > file.size()) {
      throw new EOFException("a block is outside of the file");
    }
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size));
    while (bytes.hasRemaining()) {
      if (file.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException("the file became shorter");
      }
    }
    return bytes.array();
  }

  private void read() throws IOException {
    Map<String, Handle> blocks = blocks();
    Handle index = blocks.get(INDEX);
    Handle properties = blocks.get(PROPERTIES);
    if (index == null || properties == null) {
      throw new IOException("the file has no index or no properties: " + blocks.keySet());
    }
    Map<String, byte[]> values = properties(properties);
    Handle dictionary = blocks.get(DICTIONARY);
    List<Handle> data = index(index, values);
    if (dictionary != null) {
      compression = new BlockCompression(block(dictionary));
    }
    for (Handle one : data) {
      entries(block(one), row("row", one.offset()));
    }
    for (Map.Entry<String, Handle> other : blocks.entrySet()) {
      byte[] content = block(other.getValue());
      String place = "%s at %d".formatted(other.getKey(), other.getValue().offset());
      switch (other.getKey()) {
        case RANGE_DELETIONS -> entries(content, row("range deletion", other.getValue().offset()));
        case INDEX, PROPERTIES -> {
          // Their entries were decoded.
        }
        case DICTIONARY -> decoded.bytes("dictionary", place, content);
        default -> decoded.bytes("block", place, content);
      }
    }
    long expected = number(values, "rocksdb.num.entries").orElse(-1L);
    if (rows != expected) {
      decoded.unread("%d rows were read, the file has %d".formatted(rows, expected));
    }
  }

  private Entries row(String kind, long offset) {
    return (key, value) -> {
      rows++;
      ByteBuffer suffix =
          ByteBuffer.wrap(key, key.length - SUFFIX, SUFFIX).order(ByteOrder.LITTLE_ENDIAN);
      long packed = suffix.getLong();
      String place =
          "%s, sequence %d, type %d, block at %d"
              .formatted(
                  text(key, key.length - SUFFIX), packed >>> Byte.SIZE, packed & 0xFF, offset);
      decoded.bytes(kind + " key", place, key);
      decoded.bytes(kind, place, value);
    };
  }

  private Map<String, Handle> blocks() throws IOException {
    ByteBuffer footer = footer(file);
    int version = footer.getInt(FOOTER - Long.BYTES - Integer.BYTES);
    var blocks = new HashMap<String, Handle>();
    Handle list;
    if (version >= VERSION_WITHOUT_HANDLES) {
      long size = footer.getInt(LIST_SIZE) & 0xFFFF_FFFFL;
      list = new Handle(file.size() - FOOTER - TRAILER - size, size);
    } else {
      footer.position(1);
      list = Handle.read(footer);
      blocks.put(INDEX, Handle.read(footer));
    }
    entries(
        block(list),
        (key, value) -> blocks.put(text(key, key.length), Handle.read(ByteBuffer.wrap(value))));
    return blocks;
  }

  private Map<String, byte[]> properties(Handle handle) throws IOException {
    var values = new HashMap<String, byte[]>();
    entries(
        block(handle),
        (key, value) -> {
          String name = text(key, key.length);
          values.put(name, value);
          decoded.bytes("property", name, key);
          decoded.bytes("property", name, value);
        });
    return values;
  }

  private static Optional<Long> number(Map<String, byte[]> values, String name) {
    return Optional.ofNullable(values.get(name)).map(value -> Varints.read(ByteBuffer.wrap(value)));
  }

  /// The handles of the data blocks.
  private List<Handle> index(Handle handle, Map<String, byte[]> values) throws IOException {
    byte[] type = values.get("rocksdb.block.based.table.index.type");
    if (type != null && type.length > 0 && type[0] != 0) {
      throw new IOException("an index of type %d is not known to the scanner".formatted(type[0]));
    }
    boolean differences = number(values, "rocksdb.index.value.is.delta.encoded").orElse(0L) == 1;
    var handles = new ArrayList<Handle>();
    byte[] block = block(handle);
    String place = "block at %d".formatted(handle.offset());
    if (differences) {
      differences(block, place, handles);
    } else {
      entries(
          block,
          (key, value) -> {
            decoded.bytes("index key", place, key);
            handles.add(Handle.read(ByteBuffer.wrap(value)));
          });
    }
    return handles;
  }

  private void differences(byte[] block, String place, List<Handle> handles) throws IOException {
    ByteBuffer in = content(block);
    byte[] key = new byte[0];
    while (in.hasRemaining()) {
      int shared = Math.toIntExact(Varints.read(in));
      key = key(key, shared, Math.toIntExact(Varints.read(in)), in);
      decoded.bytes("index key", place, key);
      handles.add(shared == 0 ? Handle.read(in) : handles.getLast().next(Varints.readSigned(in)));
    }
  }

  private static void entries(byte[] block, Entries entries) throws IOException {
    ByteBuffer in = content(block);
    byte[] key = new byte[0];
    while (in.hasRemaining()) {
      int shared = Math.toIntExact(Varints.read(in));
      int added = Math.toIntExact(Varints.read(in));
      byte[] value = new byte[Math.toIntExact(Varints.read(in))];
      key = key(key, shared, added, in);
      in.get(value);
      entries.entry(key, value);
    }
  }

  private static byte[] key(byte[] before, int shared, int added, ByteBuffer in) {
    byte[] key = new byte[shared + added];
    System.arraycopy(before, 0, key, 0, shared);
    in.get(key, shared, added);
    return key;
  }

  /// A block without the offsets at its end, which are for searches.
  private static ByteBuffer content(byte[] block) throws IOException {
    int last = block.length - Integer.BYTES;
    int offsets = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(last);
    int end = last - offsets * Integer.BYTES;
    // The upper bits are for forms of blocks that stores of this project do not use.
    if (offsets < 0 || offsets > last / Integer.BYTES || end < 0) {
      throw new IOException("a block has a form that is not known to the scanner");
    }
    return ByteBuffer.wrap(block, 0, end);
  }

  private byte[] block(Handle handle) throws IOException {
    byte[] stored = bytes(file, handle.offset(), handle.size() + 1);
    int size = stored.length - 1;
    byte[] content = new byte[size];
    System.arraycopy(stored, 0, content, 0, size);
    return compression.decompress(stored[size] & 0xFF, content);
  }

  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.UTF_8).replace('\0', '|');
  }
}
