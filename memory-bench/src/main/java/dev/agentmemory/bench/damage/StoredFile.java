package dev.agentmemory.bench.damage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// A file of a data directory.
///
/// @param path below the data directory
/// @param workspace of the store; empty for a file of the whole directory
/// @param size in bytes
public record StoredFile(Kind kind, Path path, Optional<String> workspace, long size) {

  /// Purpose of a file.
  public enum Kind {
    LOG,
    TABLE,
    MANIFEST,
    CURRENT,
    OPTIONS,
    IDENTITY,
    STORE_MARKER,
    WITNESS,
    TOKEN,
    DAEMON_JSON,
    DIRECTORY_FILE,
    STORE_FILE,
    INDEX;

    /// Its name on the command line and in tables.
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final String ENGINE = "rocksdb";

  public StoredFile {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(workspace, "workspace");
  }

  /// The files of a data directory, ordered by path, without logs, libraries, locks and the
  /// engine's information log (`LOG`).
  public static List<StoredFile> of(Path data) {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .map(data::relativize)
          .sorted()
          .flatMap(path -> of(data, path).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + data, e);
    }
  }

  private static Optional<StoredFile> of(Path data, Path path) {
    return kind(path).map(kind -> new StoredFile(kind, path, workspace(path), size(data, path)));
  }

  private static long size(Path data, Path path) {
    try {
      return Files.size(data.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> workspace(Path path) {
    return switch (path.getName(0).toString()) {
      case "db", "index", "witness" -> Optional.of(path.getName(1).toString());
      default -> Optional.empty();
    };
  }

  private static Optional<Kind> kind(Path path) {
    String name = path.getFileName().toString();
    return switch (path.getName(0).toString()) {
      case "logs", "native", "daemon.lock" -> Optional.empty();
      case "token" -> Optional.of(Kind.TOKEN);
      case "daemon.json" -> Optional.of(Kind.DAEMON_JSON);
      case "index" -> Optional.of(Kind.INDEX).filter(_ -> !name.equals("write.lock"));
      case "witness" -> Optional.of(Kind.WITNESS);
      case "db" ->
          path.getNameCount() > 3 && path.getName(2).toString().equals(ENGINE)
              ? engine(name)
              : store(name);
      default -> Optional.of(Kind.DIRECTORY_FILE);
    };
  }

  private static Optional<Kind> store(String name) {
    return switch (name) {
      case "LOCK" -> Optional.empty();
      case "store.json" -> Optional.of(Kind.STORE_MARKER);
      default -> Optional.of(Kind.STORE_FILE);
    };
  }

  private static Optional<Kind> engine(String name) {
    if (name.equals("LOCK") || name.startsWith("LOG")) {
      return Optional.empty();
    }
    if (name.endsWith(".log")) {
      return Optional.of(Kind.LOG);
    }
    if (name.endsWith(".sst")) {
      return Optional.of(Kind.TABLE);
    }
    String first = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
    return switch (first) {
      case "MANIFEST" -> Optional.of(Kind.MANIFEST);
      case "CURRENT" -> Optional.of(Kind.CURRENT);
      case "OPTIONS" -> Optional.of(Kind.OPTIONS);
      case "IDENTITY" -> Optional.of(Kind.IDENTITY);
      default -> Optional.of(Kind.STORE_FILE);
    };
  }
}
