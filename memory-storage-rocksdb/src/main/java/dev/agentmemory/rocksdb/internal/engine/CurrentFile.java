package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// The file `CURRENT`, which names RocksDB's current manifest.
public final class CurrentFile {

  public static final String NAME = "CURRENT";
  private static final int LINE_BYTES = 4096;
  private static final Pattern LINE = Pattern.compile("(MANIFEST-[0-9]{6,})\n");

  private CurrentFile() {}

  /// The manifest that it names; empty when it cannot be read, names something else, or the
  /// manifest is not there.
  ///
  /// @param tables the directory of the database
  public static Optional<Path> manifest(Path tables) throws IOException {
    Path current = tables.resolve(NAME);
    if (!Files.isRegularFile(current, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    return named(new String(DurableFile.read(current, LINE_BYTES), StandardCharsets.UTF_8))
        .map(tables::resolve)
        .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
  }

  /// The name of the manifest in the content of the file.
  static Optional<String> named(String content) {
    var line = LINE.matcher(content);
    return line.matches() ? Optional.of(line.group(1)) : Optional.empty();
  }
}
