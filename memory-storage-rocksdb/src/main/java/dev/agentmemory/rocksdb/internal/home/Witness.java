package dev.agentmemory.rocksdb.internal.home;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/// A file outside the store that records how far the store had come. A log that was deleted, or
/// truncated at the end of a record, looks like a log that was never longer. Only a file outside
/// the store can show the difference.
///
/// Idea: two slots of [#SLOT] bytes are written alternately, so a write that a power failure
/// interrupts leaves the other slot intact. A slot is a line of text that ends with a CRC-32C. Of
/// two valid slots the one with the higher sequence counts. Overwriting in place needs one sync and
/// no space on the disk.
///
/// ```
/// agent-memory witness store=… generation=1 sequence=800 records=12
///   manifest=MANIFEST-000005:1034 crc=…                        (in one line)
/// ```
///
/// The outbox sequence and the number of changes of records are recorded because they never
/// decrease. A number of rows would be wrong after an erasure. A witness of a format before 5 has
/// no `records`.
public final class Witness implements AutoCloseable {

  static final int SLOT = 256;

  private static final String MAGIC = "agent-memory witness";
  private static final int MOST_BYTES = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private Optional<Mark> last;
  private int next;

  /// The content of the file.
  ///
  /// @param sequence of the last outbox entry that was synced
  /// @param recordChanges how many changes of records were synced
  /// @param manifest the engine's manifest at that time, empty when unknown
  /// @param manifestBytes its length
  public record Mark(
      String storeId,
      long generation,
      long sequence,
      long recordChanges,
      String manifest,
      long manifestBytes) {

    private static final String RECORDS = "records=";

    private static final Comparator<Mark> ORDER =
        Comparator.comparingLong(Mark::generation)
            .thenComparingLong(Mark::sequence)
            .thenComparingLong(Mark::recordChanges)
            .thenComparingLong(Mark::manifestBytes);

    /// Whether the store ever acknowledged anything.
    public boolean hasContent() {
      return sequence > 0 || recordChanges > 0;
    }

    /// What the store acknowledged, in words.
    public String content() {
      return recordChanges == 0
          ? sequence + " entries"
          : "%d entries and %d changes of curated memories".formatted(sequence, recordChanges);
    }

    private String text() {
      return MAGIC
          + " store="
          + storeId
          + " generation="
          + generation
          + " sequence="
          + sequence
          + " "
          + RECORDS
          + recordChanges
          + " manifest="
          + manifest
          + ":"
          + manifestBytes;
    }

    private static Optional<Mark> parse(String text) {
      int sum = text.lastIndexOf(" crc=");
      if (!text.startsWith(MAGIC) || sum < 0) {
        return Optional.empty();
      }
      String body = text.substring(0, sum);
      if (!text.substring(sum + " crc=".length()).strip().equals(checksum(body))) {
        return Optional.empty();
      }
      String[] words = body.substring(MAGIC.length() + 1).split(" ", -1);
      boolean counted = words[3].startsWith(RECORDS);
      String manifest = value(words[counted ? 4 : 3]);
      int colon = manifest.indexOf(':');
      return Optional.of(
          new Mark(
              value(words[0]),
              Long.parseLong(value(words[1])),
              Long.parseLong(value(words[2])),
              counted ? Long.parseLong(value(words[3])) : 0,
              manifest.substring(0, colon),
              Long.parseLong(manifest.substring(colon + 1))));
    }

    private static String value(String word) {
      return word.substring(word.indexOf('=') + 1);
    }

    private boolean isBehind(Mark other) {
      return ORDER.compare(this, other) < 0;
    }
  }

  /// Result of reading the file.
  public sealed interface Look {

    /// There is no such file.
    record Absent() implements Look {}

    /// Neither slot is valid.
    record Damaged() implements Look {}

    /// The valid slot with the higher sequence.
    record Present(Mark mark) implements Look {}

    /// The mark, if one is valid.
    default Optional<Mark> believed() {
      return this instanceof Present(Mark found) ? Optional.of(found) : Optional.empty();
    }
  }

  private Witness(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
    this.last = Optional.empty();
  }

  /// Reads the file; changes nothing.
  public static Look look(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return new Look.Absent();
    }
    byte[] bytes = DurableFile.read(file, MOST_BYTES);
    Optional<Mark> best = Optional.empty();
    for (int slot = 0; slot < 2; slot++) {
      int start = slot * SLOT;
      if (bytes.length > start) {
        int length = Math.min(SLOT, bytes.length - start);
        Optional<Mark> found = parsed(new String(bytes, start, length, US_ASCII));
        if (found.isPresent() && (best.isEmpty() || best.get().isBehind(found.get()))) {
          best = found;
        }
      }
    }
    return best.<Look>map(Look.Present::new).orElseGet(Look.Damaged::new);
  }

  private static Optional<Mark> parsed(String slot) {
    try {
      return Mark.parse(slot);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /// Opens the file for writing and replaces both slots by a mark.
  public static Witness start(Path file, Mark mark) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      DurableFile.createDirectory(folder);
    }
    boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            DurableFile.ownerOnly(file));
    var witness = new Witness(file, channel);
    try {
      witness.put(mark, 0);
      witness.put(mark, 1);
      channel.truncate(2L * SLOT);
      channel.force(true);
      witness.last = Optional.of(mark);
      if (isNew && folder != null) {
        DurableFile.syncDirectory(folder);
      }
      return witness;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// Makes a mark durable, unless it equals the last one. After a failure the next mark goes into
  /// the same slot: the content of that slot is unknown, so the other one has to be kept.
  ///
  /// @return whether anything was written
  public boolean write(Mark mark) throws IOException {
    if (last.equals(Optional.of(mark))) {
      return false;
    }
    put(mark, next);
    channel.force(false);
    next = 1 - next;
    last = Optional.of(mark);
    return true;
  }

  private void put(Mark mark, int number) throws IOException {
    String body = mark.text();
    byte[] text = (body + " crc=" + checksum(body)).getBytes(US_ASCII);
    if (text.length >= SLOT) {
      throw new IOException("a mark of " + text.length + " bytes does not fit into " + file);
    }
    ByteBuffer slot = ByteBuffer.allocate(SLOT).put(text);
    while (slot.position() < SLOT - 1) {
      slot.put((byte) ' ');
    }
    slot.put((byte) '\n').flip();
    long place = (long) number * SLOT;
    while (slot.hasRemaining()) {
      place += channel.write(slot, place);
    }
  }

  private static String checksum(String body) {
    var sum = new CRC32C();
    sum.update(body.getBytes(US_ASCII));
    return "%08x".formatted(sum.getValue());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
