package dev.agentmemory.bench.damage;

import dev.agentmemory.types.EventId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/// The events that a damage has hit: those in the same block of a table file, or of the log, and
/// all events of a file whose footer, index or dictionary cannot be read. They cannot be recovered.
final class HitEvents {

  private static final String EVENTS = "events";
  private static final Pattern KEY = Pattern.compile("evt:\\d{13}:([0-9A-Z]{26})");

  private HitEvents() {}

  /// @param whole the file before the damage
  /// @param broken the damaged file; need not exist
  static Set<EventId> of(StoredFile.Kind kind, Damage damage, Path whole, Path broken)
      throws IOException {
    return switch (kind) {
      case TABLE -> ofTable(whole, broken);
      case LOG -> ofLog(damage, Files.readAllBytes(whole));
      case MANIFEST,
          CURRENT,
          OPTIONS,
          IDENTITY,
          STORE_MARKER,
          WITNESS,
          TOKEN,
          DAEMON_JSON,
          DIRECTORY_FILE,
          STORE_FILE,
          INDEX ->
          Set.of();
    };
  }

  private static Set<EventId> ofTable(Path whole, Path broken) {
    var hit = new HashSet<EventId>();
    try (var options = new Options();
        var reader = new SstFileReader(options);
        var reading = new ReadOptions()) {
      reader.open(whole.toString());
      String table =
          new String(reader.getTableProperties().getColumnFamilyName(), StandardCharsets.UTF_8);
      if (!table.equals(EVENTS)) {
        return Set.of();
      }
      Set<List<Byte>> readable = readable(broken, reader);
      try (SstFileReaderIterator rows = reader.newIterator(reading)) {
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          if (!readable.contains(boxed(rows.key()))) {
            id(rows.key()).ifPresent(hit::add);
          }
        }
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException("the table file " + whole + " cannot be read", e);
    }
    return hit;
  }

  /// Keys of the rows that the engine can read, one by one.
  private static Set<List<Byte>> readable(Path broken, SstFileReader whole)
      throws RocksDBException {
    var readable = new HashSet<List<Byte>>();
    try (var options = new Options();
        var reader = new SstFileReader(options);
        var reading = new ReadOptions().setVerifyChecksums(true)) {
      reader.open(broken.toString());
      try (var keys = whole.newIterator(reading)) {
        for (keys.seekToFirst(); keys.isValid(); keys.next()) {
          try (SstFileReaderIterator row = reader.newIterator(reading)) {
            row.seek(keys.key());
            if (row.isValid()
                && Arrays.equals(row.key(), keys.key())
                && Arrays.equals(row.value(), keys.value())) {
              readable.add(boxed(keys.key()));
            }
          }
        }
      }
    } catch (RocksDBException e) {
      // Footer, index or properties are damaged.
      return Set.of();
    }
    return readable;
  }

  private static List<Byte> boxed(byte[] bytes) {
    Byte[] boxed = new Byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      boxed[i] = bytes[i];
    }
    return List.of(boxed);
  }

  private static Optional<EventId> id(byte[] key) {
    Matcher text = KEY.matcher(new String(key, StandardCharsets.ISO_8859_1));
    return text.find() ? Optional.of(EventId.parse("key", text.group(1))) : Optional.empty();
  }

  private static Set<EventId> ofLog(Damage damage, byte[] log) {
    var hit = new HashSet<EventId>();
    for (LogRecords.Entry entry : LogRecords.of(log)) {
      boolean lost =
          switch (damage) {
            case Damage.Removed() -> true;
            case Damage.Cut(long size) -> entry.end() > size;
            case Damage.Flipped(long at, int _) -> entry.touchesBlock(at);
          };
      Matcher keys = KEY.matcher(entry.content());
      while (lost && keys.find()) {
        hit.add(EventId.parse("key", keys.group(1)));
      }
    }
    return hit;
  }
}
