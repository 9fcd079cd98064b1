package dev.agentmemory.storage.internal.rocksdb;

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

/// Checks the files of a database one by one, without opening it: it takes no lock, changes
/// nothing, and works beside a daemon that has the store open. Finds what is damaged inside a file;
/// whether a file is missing only opening the store tells, but for `CURRENT` and the manifest that
/// it names.
public final class FileCheck {

  private static final int SLICE = 256 << 10;
  private static final Pattern IDENTITY = Pattern.compile("[0-9a-fA-F-]{36}\\s*");

  private final Path tables;

  private FileCheck(Path tables) {
    this.tables = tables;
  }

  /// Checks everything.
  ///
  /// @param tables the directory of the database
  /// @return a finding for each damaged file, with the kind of the file as its table and the name
  ///   as its key; empty when all files are sound
  public static List<Finding> run(Path tables) {
    RocksDB.loadLibrary();
    return new FileCheck(tables).findings();
  }

  /// Checks a table or log file.
  ///
  /// @param tables the directory in which it is
  /// @param read is told how many bytes were read
  /// @return what is wrong with it; empty when nothing is, or when it does not exist any more
  public static Optional<String> rows(Path tables, String name, IntConsumer read) {
    return new FileCheck(tables).rows(name, read);
  }

  /// The first log or manifest that is damaged, with what is wrong: the engine only says that one
  /// of them is.
  static Optional<String> brokenLog(Path tables) {
    var check = new FileCheck(tables);
    return check.names().stream()
        .filter(name -> isLog(name) || kind(name).equals("manifest"))
        .flatMap(name ->
            check.problem(name).map(problem -> tables.resolve(name) + ": " + problem).stream())
        .findFirst();
  }

  /// The first log whose end is missing, which a crash may have left.
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

  /// Manifests of the past are not read by anybody.
  private boolean isCurrent(String manifest) {
    try {
      return CurrentFile.named(text(tables.resolve(CurrentFile.NAME)))
          .equals(Optional.of(manifest));
    } catch (IOException e) {
      return false;
    }
  }

  /// The file has no checksum; a change that leaves it readable cannot be found. The engine writes
  /// it anew whenever it opens the store.
  private static Optional<String> options(Path file) {
    var families = new ArrayList<ColumnFamilyDescriptor>();
    try (var config = new ConfigOptions();
        var options = new DBOptions()) {
      OptionsUtil.loadOptionsFromFile(config, file.toString(), options, families);
      return Optional.empty();
    } catch (RocksDBException e) {
      return Optional.of(RocksErrors.message(e));
    } finally {
      families.forEach(family -> family.getOptions().close());
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

  /// The engine compares all checksums at once, as fast as it can. The disk is read before at the
  /// pace of the caller; what the engine reads then is in the memory of the machine.
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
