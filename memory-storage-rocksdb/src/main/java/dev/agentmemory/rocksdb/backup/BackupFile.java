package dev.agentmemory.rocksdb.backup;

import java.util.regex.Pattern;

/// One file of a backup.
///
/// @param path its place in a restored store: `rocksdb/NAME` for a file of the engine, `store.json`
///   for the store's marker, `index/NAME` for a file of the search index
/// @param bytes its size
/// @param sha256 of its content, in hexadecimal
/// @param tail SHA-256 of its last 4 KiB, which identifies a table file without reading all of it;
///   empty for files that are read completely each time
/// @param content the name under which the backup stores the content: the SHA-256, or, in an
///   encrypted backup, a name that only the key can tell from random
public record BackupFile(String path, long bytes, String sha256, String tail, String content) {

  /// Folder of the table files.
  static final String TABLES = "rocksdb/";

  /// Folder of the search index's files.
  static final String INDEX = "index/";

  /// A manifest may have been edited. The pattern excludes paths that leave the folder.
  private static final Pattern PATH =
      Pattern.compile("(?:rocksdb|index)/[A-Za-z0-9_][A-Za-z0-9._-]{0,200}|store\\.json");

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  public BackupFile {
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException("not a file of a backup: " + path);
    }
    if (!SHA256.matcher(sha256).matches() || !SHA256.matcher(content).matches() || bytes < 0) {
      throw new IllegalArgumentException("the entry of " + path + " has no size or no SHA-256");
    }
  }

  /// A file of a backup that is not encrypted.
  BackupFile(String path, long bytes, String sha256, String tail) {
    this(path, bytes, sha256, tail, sha256);
  }

  /// Its name without its folder.
  String name() {
    return path.substring(path.indexOf('/') + 1);
  }

  boolean isTables() {
    return path.startsWith(TABLES);
  }

  boolean isIndex() {
    return path.startsWith(INDEX);
  }

  /// A key that is equal for two copies of one table file.
  String likeness() {
    return path + '\0' + bytes + '\0' + tail;
  }
}
