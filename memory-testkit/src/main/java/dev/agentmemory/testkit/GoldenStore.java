package dev.agentmemory.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Stores that the packaged daemon wrote in former formats. They are never made anew and have to
/// open for ever.
///
/// The first two hold the sample, an event whose id tells another time, a late event that had a
/// segment cut anew, odd characters; most of it in tables, the last rows in the log.
public enum GoldenStore {
  FORMAT_1("format-1.zip", "default"),
  /// A day went back to its first version here.
  FORMAT_2("format-2.zip", "default"),
  /// The odd events and the late one only, in each of the two workspaces `alpha` and `beta` that
  /// share the store; all of it in the log.
  FORMAT_2_UNIFIED("format-2-unified.zip", "@unified"),
  /// Two sessions of seven events; the five of `tied` share a millisecond and have derived ids, so
  /// they stand in the order of a hash. All of it in the log.
  FORMAT_3("format-3.zip", "default");

  /// How many events are in each store that holds the sample.
  public static final int EVENTS = 428;

  private final String archive;
  private final String directory;

  GoldenStore(String archive, String directory) {
    this.archive = archive;
    this.directory = directory;
  }

  /// Lays the store down below a folder that exists, under the name that it had.
  ///
  /// @return its directory
  public Path unpack(Path folder) throws IOException {
    try (InputStream packed =
            Objects.requireNonNull(GoldenStore.class.getResourceAsStream("/golden/" + archive));
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
    return folder.resolve(directory);
  }
}
