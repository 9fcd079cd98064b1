package dev.agentmemory.storage.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads the engine's native library, which is part of its jar.
///
/// By default the engine unpacks the library into the system's temporary folder under a new name at
/// each start, and a killed process leaves the file behind.
public final class EngineLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLibrary.class);

  private EngineLibrary() {}

  /// Unpacks the library into a folder that belongs to this process alone and holds one copy at
  /// most, and loads it. Call this before a store is opened. When the folder cannot be written, for
  /// example on a full disk, the engine unpacks the library itself.
  public static void loadFrom(Path folder) {
    try {
      Files.createDirectories(folder);
      NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      LOG.warn("the engine's library cannot be unpacked into {}: {}", folder, e.getMessage());
    }
  }
}
