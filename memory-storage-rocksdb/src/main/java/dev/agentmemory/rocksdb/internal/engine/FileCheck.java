package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.store.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Checks the files of a database one by one, without opening it. It takes no lock, changes
/// nothing, and works while a daemon has the store open. It finds damage inside a file. It does not
/// find missing files, except `CURRENT` and the manifest that it names; opening the store finds
/// those.
public final class FileCheck {

  private static final int SLICE = 256 << 10;
  private static final Pattern IDENTITY = Pattern.compile("[0-9a-fA-F-]{36}\\s*");

  private final Path tables;

  private FileCheck(Path tables) {
    this.tables = tables;
  }

  /// Checks all files.
  ///
  /// @param tables the directory of the database
  /// @return a finding for each damaged file, with the kind of the file as its table and the name
  ///   as its key; empty when all files are intact
  public static List<Finding> run(Path tables) {
    RocksDB.loadLibrary();
    return new FileCheck(tables).findings();
  }

  /// Checks a table or log file.
  ///
  /// @param tables the directory of the file
  /// @param read is called with the number of bytes that were read
  /// @return what is wrong with it; empty when it is intact, or does not exist any more
  public static Optional<String> rows(Path tables, String name, IntConsumer read) {
    return new FileCheck(tables).rows(name, read);
  }

  /// The first damaged log or manifest, and what is wrong. The engine's message does not name the
  /// file.
  static Optional<String> brokenLog(Path tables) {
    var check = new FileCheck(tables);
    return check.names().stream()
        .filter(name -> isLog(name) || kind(name).equals("manifest"))
        .flatMap(name ->
            check.problem(name).map(problem -> tables.resolve(name) + ": " + problem).stream())
        .findFirst();
  }

  /// The first log whose end is missing, as after a crash.
  static Optional<String> tornLog(Path tables) {
    return new FileCheck(tables)
        .names().stream()
            .filter(FileCheck::isLog)
            .map(tables::resolve)
            .flatMap(log -> torn(log).map(problem -> log + ": " + problem).stream())
            .findFirst();
  }

  private static Optional<String> torn(Path log) {
    try {
      return LogFileCheck.check(log, LogFileCheck.Tail.WHOLE, bytes -> {});
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public static boolean holdsRows(String name) {
    return isTable(name) || isLog(name);
  }

  public static boolean isTable(String name) {
    return name.endsWith(".sst");
  }

  private static boolean isLog(String name) {
    return name.endsWith(".log");
  }

  private List<Finding> findings() {
    var found = new ArrayList<Finding>();
    for (String name : names()) {
      problem(name).ifPresent(problem -> found.add(new Finding(kind(name), name, problem)));
    }
    if (!Files.exists(tables.resolve(CurrentFile.NAME))) {
      found.add(new Finding("current", CurrentFile.NAME, "is missing"));
    }
    return List.copyOf(found);
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(tables)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String kind(String name) {
    if (isTable(name)) {
      return "table";
    }
    int dash = name.indexOf('-');
    return isLog(name)
        ? "log"
        : (dash < 0 ? name : name.substring(0, dash)).toLowerCase(Locale.ROOT);
  }

  private Optional<String> problem(String name) {
    if (holdsRows(name)) {
      return rows(name, bytes -> {});
    }
    try {
      Path file = tables.resolve(name);
      return switch (kind(name)) {
        case "current" -> current(text(file));
        case "manifest" ->
            isCurrent(name)
                ? LogFileCheck.check(file, LogFileCheck.Tail.MAY_BE_TORN, bytes -> {})
                : Optional.empty();
        case "options" -> options(file);
        case "identity" ->
            IDENTITY.matcher(text(file)).matches()
                ? Optional.empty()
                : Optional.of("does not hold an id");
        default -> Optional.empty();
      };
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot be read: " + e.getMessage());
    }
  }

  private Optional<String> current(String text) {
    Optional<String> manifest = CurrentFile.named(text);
    if (manifest.isEmpty()) {
      return Optional.of("does not name a manifest");
    }
    return Files.exists(tables.resolve(manifest.get()))
        ? Optional.empty()
        : Optional.of("names " + manifest.get() + ", which does not exist");
  }

  /// Old manifests are not read.
  private boolean isCurrent(String manifest) {
    try {
      return CurrentFile.named(text(tables.resolve(CurrentFile.NAME)))
          .equals(Optional.of(manifest));
    } catch (IOException e) {
      return false;
    }
  }

  /// The file has no checksum, so a change that leaves it readable is not found. The engine writes
  /// it again whenever it opens the store.
  private static Optional<String> options(Path file) {
    var families = new ArrayList<ColumnFamilyDescriptor>();
    try (var config = new ConfigOptions();
        var options = new DBOptions()) {
      OptionsUtil.loadOptionsFromFile(config, file.toString(), options, families);
      return Optional.empty();
    } catch (RocksDBException e) {
      return Optional.of(RocksErrors.message(e));
    } finally {
      families.forEach(table -> table.getOptions().close());
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private Optional<String> rows(String name, IntConsumer read) {
    Path file = tables.resolve(name);
    try {
      return isTable(name) ? table(file, read) : LogFileCheck.check(file, tail(name), read);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot be read: " + e.getMessage());
    }
  }

  /// The engine compares all checksums at once, at full speed. So the file is first read from the
  /// disk at the caller's pace; the engine then reads it from the system's page cache.
  private static Optional<String> table(Path path, IntConsumer read) throws IOException {
    byte[] slice = new byte[SLICE];
    try (var file = Files.newInputStream(path)) {
      int got = file.read(slice);
      while (got > 0) {
        read.accept(got);
        got = file.read(slice);
      }
    }
    try (var table = new TableFile(path)) {
      table.open();
      table.verify();
      return Optional.empty();
    } catch (RocksDBException e) {
      return Files.exists(path) ? Optional.of(RocksErrors.message(e)) : Optional.empty();
    }
  }

  private LogFileCheck.Tail tail(String log) {
    Comparator<String> byNumber =
        Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
    Optional<String> last = names().stream().filter(FileCheck::isLog).max(byNumber);
    return last.equals(Optional.of(log)) ? LogFileCheck.Tail.MAY_BE_TORN : LogFileCheck.Tail.WHOLE;
  }
}
