package dev.agentmemory.rocksdb.internal.recover;

import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.engine.LogFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// The manifest in a copy of a damaged database.
///
/// @param folder of the copy
public record ManifestCopy(Path folder) {

  /// Corrects what can be corrected, so that the engine can open the copy. If the copy does not
  /// name the current manifest, the newest one is used. Each record with one flipped bit is
  /// repaired.
  public void repair() throws IOException {
    if (CurrentFile.manifest(folder).isEmpty()) {
      Optional<String> newest = newest();
      if (newest.isPresent()) {
        Files.writeString(
            folder.resolve(CurrentFile.NAME), newest.get() + "\n", StandardCharsets.US_ASCII);
      }
    }
    Optional<Path> manifest = CurrentFile.manifest(folder);
    if (manifest.isPresent()) {
      // Flaws that remain keep the engine from opening the copy.
      var _ = new LogFile(manifest.get(), /* repairing= */ true).read(payload -> {});
    }
  }

  private Optional<String> newest() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("MANIFEST-"))
          .max(Comparator.naturalOrder());
    }
  }
}
