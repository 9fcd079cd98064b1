package dev.agentmemory.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// A store that the packaged daemon wrote in format 1: the sample, an event whose id tells another
/// time, a late event that had a segment cut anew, odd characters; most of it in tables, the last
/// rows in the log. It is never made anew and has to open for ever.
public final class GoldenStore {

  /// How many events are in it.
  public static final int EVENTS = 428;

  private GoldenStore() {}

  /// Lays the store down as `default` below a folder that exists.
  ///
  /// @return its directory
  public static Path unpack(Path folder) throws IOException {
    try (InputStream packed =
            Objects.requireNonNull(GoldenStore.class.getResourceAsStream("/golden/format-1.zip"));
        var zip = new ZipInputStream(packed)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.copy(zip, file);
        }
      }
    }
    return folder.resolve("default");
  }
}
