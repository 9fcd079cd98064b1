package dev.agentmemory.testkit.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Stores that the packaged daemon wrote in earlier formats. They are never replaced and must
/// always open.
///
/// The first two contain the sample, an event whose id has another time, a late event that changed
/// the segments of its session, and unusual characters. Most rows are in tables, the last ones in
/// the log.
public enum GoldenStore {
  FORMAT_1("format-1.zip", "default"),
  /// A day was reverted to its first version here.
  FORMAT_2("format-2.zip", "default"),
  /// Only the unusual events and the late one, in each of the two workspaces `alpha` and `beta`
  /// that share the store. All rows are in the log.
  FORMAT_2_UNIFIED("format-2-unified.zip", "@unified"),
  /// Two sessions with seven events. The five of `tied` have the same timestamp and derived ids, so
  /// they are in the order of a hash. All rows are in the log.
  FORMAT_3("format-3.zip", "default"),
  /// Like the first two, with positions, a marker, failed calls of a model and nodes that wait for
  /// a model's summary. A day was reverted to its first version here, too.
  FORMAT_4("format-4.zip", "default");

  /// How many events are in each store that holds the sample.
  public static final int EVENTS = 428;

  private final String archive;
  private final String directory;

  GoldenStore(String archive, String directory) {
    this.archive = archive;
    this.directory = directory;
  }

  /// Unpacks the store into an existing folder, under its original name.
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
